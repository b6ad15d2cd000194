package import Protocol

/// Why an upload failed, as reported to the caller.
package struct IntakeError: Error {
    package let reply: IntakeReply

    package init(_ reply: IntakeReply) {
        self.reply = reply
    }

    package init(_ error: FileError) {
        reply = IntakeReply("it could not be kept: \(error.reason)", error: .notSaved)
    }
}
