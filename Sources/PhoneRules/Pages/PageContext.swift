package import Languages

/// The context of an answer: the reader's phone and language, and the result of an act.
package struct PageContext: Sendable {
    /// A line above the page that reports the result of an act, or why it failed.
    package struct Notice: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case problem(PageProblem)
            case done(PageDone)
        }

        package let content: Content
        /// The number of a change that can be undone.
        package var undo: Int?
        /// The number of a change in ``HandChanges`` that can be undone.
        package var handUndo: Int?
        /// The page to which an undo leads back.
        package var page = Route.Name.week
        /// The person who was faster, and the key that they changed.
        package var by: String?
        package var key: String?
        /// A reason that only adhand knows, in English.
        package var reason: String?
        /// Values that were set, or that an undo has restored.
        package var steps: [SettingsFacts.Step] = []
        /// Sentences of adhand about the result, in English. Readers of other languages see the result on the page.
        package var details: [String] = []
        /// Sentences of adhand about parts that will not work, in English.
        package var problems: [String] = []
        /// Whether the change has silenced loudspeakers.
        package var isSilent = false
        /// Whether new loudspeakers are tried later because something is playing now.
        package var awaitsTrial = false
        /// The reason why the second part of an act failed after the first succeeded.
        package var shortfall: PageProblem?

        package init(
            _ content: Content, undo: Int? = nil, by: String? = nil, key: String? = nil, reason: String? = nil
        ) {
            self.content = content
            self.undo = undo
            (self.by, self.key, self.reason) = (by, key, reason)
        }
    }

    package var language: Language
    package var phone: Phone?
    package var isFresh = false
    /// The socket on which the page was requested.
    package var entryPoint = RequestHead.EntryPoint.network
    /// The index at which the shown part of a long list begins.
    package var from = 0
    /// Seconds until another attempt may be made.
    package var waitSeconds: Int?
    /// The page with the form of a refused act whose request did not come from it.
    package var back: Route.Name?
    /// The system's descriptions of devices by their technical names, as far as they were listed.
    package var deviceTexts: [String: String] = [:]
    package var notice: Notice?
    /// The form as it was filled in, if it was refused.
    package var filled: Form?
    /// The field that was refused.
    package var refused: FieldRefusal?
    /// The act of that form, because other forms of the page have fields of the same name.
    package var refusedAct: Route.Name?

    package init(language: Language, phone: Phone?) {
        self.language = language
        self.phone = phone
    }

    var role: Role? { phone?.role }

    func link(to page: Route.Name) -> String { Route.link(to: page, entryPoint: entryPoint) }

    func text(_ key: String, _ values: [String: String] = [:]) -> String { language.pageText(key, values) }
}

/// Reasons for refusals, with words in each language.
package enum PageProblem: String, Sendable, Equatable, CaseIterable {
    case wrongCode = "wrong-code"
    case wait = "too-many-tries"
    case full = "too-many-phones"
    case role = "keeper-only"
    case fresh = "code-needed"
    case invalid = "not-usable"
    case pinned = "fixed-by-owner"
    case conflict = "changed-meanwhile"
    case notFound = "no-such-page"
    case away = "away"
    case failed = "failed"
    case nothing = "nothing-to-do"
    case busy = "busy-now"
    case tooLarge = "too-large"
    case cut = "cut-off"
    case content = "not-such-a-file"
    case inUse = "in-use"
    case notSaved = "not-saved"
    /// The change is in force, but a restart of the daemon undoes it.
    case notKept = "not-kept"
    case question = "answer-first"
    case noSound = "no-sound"
    case unpaired = "not-paired"
    case undelivered = "messages-not-taken"
    /// Another phone was faster. The screen shows the same words.
    case claimed = "setup-claimed"

    /// The problem for a status, if nothing else is known.
    package init(status: Int, reason: RequestRules.Reason? = nil) {
        switch (status, reason) {
        case (_, .role?): self = .role
        case (_, .unpaired?): self = .unpaired
        case (_, .fresh?): self = .fresh
        case (404, _), (405, _): self = .notFound
        case (413, _): self = .tooLarge
        case (409, _): self = .conflict
        case (422, _): self = .invalid
        case (429, _): self = .wait
        case (503, _): self = .away
        default: self = .failed
        }
    }
}

/// Results of an act, with words in each language.
package enum PageDone: String, Sendable, Equatable, CaseIterable {
    case saved, undone, received, done, paired, unchanged
    case removed = "removed-now"
    /// The box leaves its own network to join another one.
    case trying = "join-trying"
    /// A test message was accepted, and the address is saved.
    case kept = "messages-kept"
    case sent = "messages-sent"
}

extension Language {
    /// The language for a request. The one in the address comes first, then the phone's choice, then the browser's, then the
    /// display's.
    /// - Parameters:
    ///   - target: path and query, of which `lang=` is used.
    ///   - accepts: the values of `Accept-Language`.
    package static func code(
        target: String, chosen: String? = nil, accepts: [String] = [], display: String? = nil
    ) -> String {
        let asked = requested(target: target).map { [$0] } ?? []
        let wanted = accepts.joined(separator: ",").prefix(1000).split(separator: ",").compactMap(weighted)
            .enumerated().sorted { ($0.element.weight, $1.offset) > ($1.element.weight, $0.offset) }
            .map(\.element.code)
        let all = asked + [chosen].compactMap { $0 } + wanted + [display].compactMap { $0 }
        return all.first(where: codes.contains) ?? "en"
    }

    /// The language of `?lang=`, if there is a table for it.
    package static func requested(target: String) -> String? {
        let query = target.firstIndex(of: "?").map { target[$0...].dropFirst() } ?? ""
        return query.split(separator: "&").filter { $0.hasPrefix("lang=") }.map { String($0.dropFirst(5)) }
            .first(where: codes.contains)
    }

    /// Parses an entry such as `de-CH;q=0.8`.
    private static func weighted(_ text: Substring) -> (code: String, weight: Double)? {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let tag = parts.first?.split(separator: "-").first else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        return weight > 0 ? (tag.lowercased(), weight) : nil
    }
}
