import PrayerEngine
public import Settings
public import Texts
package import Times

/// `check --json`: whether a configuration's text is valid, its result, and whether this box can use it.
public struct CheckDocument: Codable, Sendable, Equatable {
    /// The process that checked, and its rights.
    public enum View: String, Codable, Sendable, CaseIterable {
        /// The running adhand.
        case daemon
        /// A program started as the service's user in the service's sandbox.
        case service
        /// A program started as the calling user, as their own adhand would be.
        case own
        /// Only the text was checked, by adhanctl itself.
        case text
    }

    /// The path of the configuration; drop-ins and other files that were read are in ``files``.
    public let file: String
    /// Whether the text is valid.
    public var valid: Bool
    /// Whether adhand can use it here; warnings do not matter.
    public var usable: Bool
    /// The process that checked, which decides how much of the rest it could see.
    public var view: View
    /// The user who ran the check.
    public var user: String
    /// All findings: those about the text, then those about sounds and devices; empty where there are none.
    public var problems: [CheckProblem]
    /// The files that were read, in this order: `file` and the drop-ins beside it, as far as they exist.
    public var files: [String]
    /// Every key that is set, and which file wins.
    public var settings: [ConfigSetting]
    /// The resulting settings; `null` when the text cannot be used.
    @Nullable public var location: StatusDocument.Location?
    /// The resulting method and its choices; `null` when the text cannot be used.
    @Nullable public var calculation: StatusDocument.Calculation?
    /// The devices that were tried, in the order of the configuration; empty where none were: see ``untried``.
    public var devices: [SoundFacts.Device]
    /// Why no device was tried.
    @Nullable public var untried: String?
    /// The files of every sound that the configuration names; empty where only the text was checked.
    public var sounds: [SoundFacts.File]

    package init(
        file: String, view: View, user: String, files: [String] = [], settings: [ConfigSetting] = [],
        site: Site? = nil, problems: [CheckProblem] = []
    ) {
        self.file = file
        self.files = files
        self.settings = settings
        self.view = view
        self.user = user
        self.problems = problems
        valid = !problems.contains { $0.kind == .configuration }
        usable = !problems.contains { $0.severity == .problem }
        devices = []
        sounds = []
        guard let site else { return }
        location = .init(site)
        calculation = .init(site)
    }

    /// Makes the document of a usable text, with the findings about its sounds and devices. `sudo`: whether root has to change
    /// these.
    package init(
        file: String, view: View, user: String, files: [String] = [], settings: [ConfigSetting] = [],
        site: Site, sound: SoundFacts, sudo: Bool = false
    ) {
        self.init(
            file: file, view: view, user: user, files: files, settings: settings, site: site,
            problems: CheckProblem.find(in: sound, sudo: sudo)
        )
        note(sound)
    }

    // Not in the initialiser: Debian's compiler fails on a wrapped property that is set there after `self.init`.
    private mutating func note(_ sound: SoundFacts) {
        devices = sound.devices
        untried = sound.untried
        sounds = sound.files
    }

    /// Adds devices that were tried, whose faults are already among the problems.
    package mutating func note(devices: [SoundFacts.Device]) { self.devices = devices }

    /// The exit status. 65: the text is invalid; 1: it is valid, and this box cannot use it.
    public var exitStatus: Int32 { valid ? usable ? 0 : 1 : 65 }

    package mutating func add(_ problem: CheckProblem) {
        problems.append(problem)
        if problem.kind == .configuration { valid = false }
        if problem.severity == .problem { usable = false }
    }

    /// The findings about sounds and devices, for doctor to check.
    public var soundFacts: SoundFacts {
        var facts = SoundFacts()
        facts.devices = devices
        facts.untried = untried
        facts.files = sounds
        return facts
    }
}

/// One finding: an obstacle to using a configuration, or a warning.
public struct CheckProblem: Codable, Sendable, Equatable {
    /// The subject of a finding.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The text is invalid, or asks for the impossible.
        case configuration
        /// A file that was in force is gone or empty: the next start uses its last content.
        case lost
        /// No place is set.
        case place
        /// The machine's time zone cannot be read.
        case zone
        /// The file cannot be read by adhand.
        case access
        case sound, device
        /// A mosque's own times, somewhere in the coming year.
        case times
    }

    /// The severity of a finding: adhand cannot use the configuration as it is, or it can and people should know.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        case problem, warning
    }

    /// The subject, for programs.
    public let kind: Kind
    /// A problem makes ``CheckDocument/usable`` false.
    public var severity: Severity
    /// One sentence: what, where and why.
    public let message: String
    /// The command that repairs it.
    public var fix: String?
    /// The affected file; omitted where there is none.
    public var file: String?
    /// The line, counted from 1; omitted where the finding is no mistake in the text.
    public var line: Int?
    /// The column, counted from 1 in characters; omitted as ``line`` is.
    public var column: Int?
    /// The key as a dotted path: `adhan.fajr.sound`.
    public var key: String?

    package init(
        _ kind: Kind, _ severity: Severity = .problem, _ message: String, fix: String? = nil,
        file: String? = nil,
        key: String? = nil
    ) {
        self.kind = kind
        self.severity = severity
        self.message = message
        self.fix = fix
        self.file = file
        self.key = key
    }

    package init(_ error: ConfigError) {
        let kind: Kind =
            switch error.cause {
            case .mistake: .configuration
            case .lost: .lost
            case .unanswered: .access
            }
        self.init(kind, .problem, error.reason, file: error.file, key: error.key)
        if error.cause == .mistake { (line, column) = (error.line, error.column) }
    }

    /// `/etc/adhand/adhand.toml:3:1: unknown key …`; the message alone where it has no place.
    public var sentence: String {
        guard let file, let line, let column else {
            return kind == .lost ? (file.map { "\($0): " } ?? "") + message : message
        }
        return "\(file):\(line):\(column): \(message)"
    }
}

/// The answer of `Check`.
public struct CheckReply: ReplyDocument, Equatable {
    public static var described: String { "check: Check" }
    /// The verdict and all findings.
    public let check: CheckDocument

    package init(check: CheckDocument) {
        self.check = check
    }
}
