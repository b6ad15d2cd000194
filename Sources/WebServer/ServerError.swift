/// The reason for which a server cannot begin.
package struct ServerError: Error {
    /// One each line.
    package let sentences: [String]
    package let exitStatus: Int32

    package init(sentences: [String], exitStatus: Int32 = 1) {
        self.sentences = sentences
        self.exitStatus = exitStatus
    }

    package init(message: String, exitStatus: Int32 = 1) {
        self.init(sentences: [message], exitStatus: exitStatus)
    }

    package var message: String { sentences.joined(separator: "\n") }
}
