internal import PhoneRules

/// A request, and the decision of the rules about it.
struct RemoteRequest: Sendable {
    let head: RequestHead
    let languages: [String]
    /// `nil` for a request that was refused.
    var admission: RequestRules.Admission?
    var body: [UInt8] = []

    init(head: RequestHead, languages: [String]) {
        self.head = head
        self.languages = languages
    }
}
