package import Protocol
package import Texts

/// The people who learn when an adhan is not heard.
package struct MessagesFacts: Sendable, Equatable {
    /// The address that was set on this page.
    package let address: String?
    /// The names of addresses that stand in a file of the box.
    package let others: [String]
    /// Whether the program runs that sends the messages.
    package let isRunning: Bool
    /// `nil` where that program is not installed, or answers nobody.
    package let topic: NtfyTopic?

    /// - Parameter reply: `nil` where nobody answered.
    package init(_ reply: MessagesReply?, topic: NtfyTopic) {
        self.topic = reply.map { _ in topic }
        address = reply?.address
        others = reply?.others ?? []
        isRunning = reply?.isRunning ?? false
    }
}
