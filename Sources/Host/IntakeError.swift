package import Protocol

/// Why an act came to nothing, as the caller learns it.
package struct IntakeError: Error {
    package let reply: IntakeReply

    package init(_ reply: IntakeReply) {
        self.reply = reply
    }

    package init(_ error: FileError) {
        reply = IntakeReply("it could not be kept: \(error.reason)", error: .notSaved)
    }
}
