internal import PhoneRules

/// A request as it came, and what the rules say of it.
struct RemoteRequest: Sendable {
    let head: RequestHead
    let languages: [String]
    /// `nil` for one that was refused.
    var admission: RequestRules.Admission?
    var body: [UInt8] = []

    init(head: RequestHead, languages: [String]) {
        self.head = head
        self.languages = languages
    }
}
