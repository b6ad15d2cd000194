package import Protocol
package import Texts

/// The recipients of alerts about missed adhans.
package struct MessagesFacts: Sendable, Equatable {
    /// The address that was set on this page.
    package let address: String?
    /// The names of addresses that stand in a file of the box.
    package let others: [String]
    /// Whether the program runs that sends the messages.
    package let isRunning: Bool
    /// The proposed topic; `nil` where that program is not installed, or does not answer.
    package let topic: NtfyTopic?

    /// - Parameter reply: `nil` where there was no answer.
    package init(_ reply: MessagesReply?, topic: NtfyTopic) {
        self.topic = reply.map { _ in topic }
        address = reply?.address
        others = reply?.others ?? []
        isRunning = reply?.isRunning ?? false
    }
}
