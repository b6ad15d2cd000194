/// Why a server cannot start.
package struct ServerError: Error {
    /// The sentences, one for each line of output.
    package let sentences: [String]
    package let exitStatus: Int32
    /// Whether another program already listens on the address.
    package private(set) var isAddressTaken = false

    package init(sentences: [String], exitStatus: Int32 = 1) {
        self.sentences = sentences
        self.exitStatus = exitStatus
    }

    static func addressTaken(_ message: String) -> ServerError {
        var error = ServerError(sentences: [message])
        error.isAddressTaken = true
        return error
    }

    package init(message: String, exitStatus: Int32 = 1) {
        self.init(sentences: [message], exitStatus: exitStatus)
    }

    package var message: String { sentences.joined(separator: "\n") }
}
