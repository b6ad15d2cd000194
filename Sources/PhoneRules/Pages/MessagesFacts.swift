package import Protocol
package import Texts

/// The recipients of alerts about missed adhans.
package struct MessagesFacts: Sendable, Equatable {
    /// The address that was set on this page.
    package let address: String?
    /// The names of addresses in a file of the box.
    package let others: [String]
    /// Whether the program that sends the messages is running.
    package let isRunning: Bool
    /// The proposed topic; `nil` if that program is not installed or does not answer.
    package let topic: NtfyTopic?

    /// - Parameter reply: `nil` if there was no answer.
    package init(_ reply: MessagesReply?, topic: NtfyTopic) {
        self.topic = reply.map { _ in topic }
        address = reply?.address
        others = reply?.others ?? []
        isRunning = reply?.isRunning ?? false
    }
}
