package import Languages

/// The circumstances of an answer: for whom a page is made, in which language, and what was just done.
package struct PageContext: Sendable {
    /// A line above the page: what was done, or why not.
    package struct Notice: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case problem(PageProblem)
            case done(PageDone)
        }

        package let content: Content
        /// The change that can be undone.
        package var undo: Int?
        /// The one of ``HandChanges`` that can be undone.
        package var handUndo: Int?
        /// The page to which an undo leads back.
        package var page = Route.Name.week
        /// The person who was faster, with the key that they changed.
        package var by: String?
        package var key: String?
        /// A reason that adhand alone knows, in English.
        package var reason: String?
        /// Values that were set, or that an undo has brought back.
        package var steps: [SettingsFacts.Step] = []
        /// Sentences of adhand about what was done, in English; the page itself shows it to whoever reads another language.
        package var details: [String] = []
        /// Sentences of adhand about what will not work, in English.
        package var problems: [String] = []
        /// Whether loudspeakers are silent now because of it.
        package var isSilent = false
        /// Whether loudspeakers that it brings in are tried later, as something sounds now.
        package var awaitsTrial = false
        /// Why a second part was not done, where the first one was.
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
    /// The socket on which the page was asked for.
    package var door = RequestHead.Door.network
    /// Where a list that is longer than a page begins.
    package var from = 0
    /// Seconds after which another try may be made.
    package var waitSeconds: Int?
    /// The page with the form of an act that was refused without it.
    package var back: Route.Name?
    /// Devices by their names for programs, in the words of the system, as far as they were listed.
    package var deviceTexts: [String: String] = [:]
    package var notice: Notice?
    /// The form as it was filled in, where it was refused.
    package var filled: Form?
    /// The field that was refused.
    package var refused: FieldRefusal?
    /// The act of that form: other forms of the page have fields of the same name.
    package var refusedAct: Route.Name?

    package init(language: Language, phone: Phone?) {
        self.language = language
        self.phone = phone
    }

    var role: Role? { phone?.role }

    func link(to page: Route.Name) -> String { Route.link(to: page, door: door) }

    func write(_ key: String, _ values: [String: String] = [:]) -> String { language.write(key, values) }
}

/// Reasons why something was not done, in the words of the reader's language.
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
    /// It is in force, and a restart of the daemon undoes it.
    case notKept = "not-kept"
    case question = "answer-first"
    case noSound = "no-sound"
    case unpaired = "not-paired"
    case undelivered = "messages-not-taken"
    /// Another phone was faster; the screen says so in the same words.
    case claimed = "setup-claimed"

    /// The problem that a status stands for, where nothing else is known.
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

/// Results of an act, in the words of the reader's language.
package enum PageDone: String, Sendable, Equatable, CaseIterable {
    case saved, undone, received, done, paired, unchanged
    case removed = "removed-now"
    /// The box leaves its own network for another one.
    case trying = "join-trying"
    /// A test message was taken, and the address is kept.
    case kept = "messages-kept"
    case sent = "messages-sent"
}

extension Language {
    /// The language for a request: the one that the address names, then what the phone chose, then the browser's, then the display's.
    /// - Parameters:
    ///   - target: path and query, of which `lang=` counts.
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

    /// The language of `?lang=`, of which there is a table.
    package static func requested(target: String) -> String? {
        let query = target.firstIndex(of: "?").map { target[$0...].dropFirst() } ?? ""
        return query.split(separator: "&").filter { $0.hasPrefix("lang=") }.map { String($0.dropFirst(5)) }
            .first(where: codes.contains)
    }

    /// `de-CH;q=0.8`
    private static func weighted(_ text: Substring) -> (code: String, weight: Double)? {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let tag = parts.first?.split(separator: "-").first else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        return weight > 0 ? (tag.lowercased(), weight) : nil
    }
}
