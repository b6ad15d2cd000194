import Settings
public import Texts

/// One device, as it was tried.
public struct CheckedDevice: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case opens, busy, fails, hangs
        /// It was not tried, since adhand needs it now; of `GetDevices` alone.
        case untried
    }

    public let name: String
    /// For people, as the system describes it; left out where it does not, and by `Check`.
    public var description: String?
    public let state: State
    @Nullable public var reason: String?
    /// The mixer's part in its silence, and the remedy.
    @Nullable public var silence: String?
    /// The command alone; left out where nothing is to be done.
    public var silenceFix: String?
    /// Whether the name leads to a sound server that does not answer; left out where it does not.
    public var needsServer: Bool?

    package init(_ device: SoundFacts.Device, description: String? = nil) {
        name = device.name
        self.description = description
        switch device.outcome {
        case .opens: state = .opens
        case .hangs: state = .hangs
        case .fails(let reason, let isBusy, let needsServer):
            state = isBusy ? .busy : .fails
            self.reason = reason
            self.needsServer = needsServer ? true : nil
        }
        silence = device.silence?.sentence
        silenceFix = device.silence?.fix
    }

    package init(untried name: String, because reason: String, description: String? = nil) {
        (self.name, state) = (name, .untried)
        self.description = description
        self.reason = reason
    }

    /// `nil` of one that was not tried.
    var facts: SoundFacts.Device? {
        let outcome: SoundFacts.Device.Outcome
        switch state {
        case .opens: outcome = .opens
        case .hangs: outcome = .hangs
        case .busy: outcome = .fails(reason: reason ?? "", isBusy: true)
        case .fails:
            outcome = .fails(reason: reason ?? "", isBusy: false, needsServer: needsServer ?? false)
        case .untried: return nil
        }
        let told = silence.map { silence in
            let fix = silenceFix ?? "alsamixer"
            let reason = silence.hasSuffix("; \(fix)") ? String(silence.dropLast(fix.count + 2)) : silence
            return SoundFacts.Silence(reason: reason, fix: fix)
        }
        return .init(name: name, outcome: outcome, silence: told)
    }
}

/// One configured sound for some prayers, and the file that it leads to.
public struct CheckedSound: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case decodes, doubtful, broken, missing, unreadable, unread
    }

    public let sound: String
    public let prayers: [String]
    public let reminder: Bool
    /// The occasion that it is played for; an older adhand does not say.
    public var occasion: SoundUse.Purpose?
    @Nullable public var path: String?
    public let shipped: Bool
    public let state: State
    @Nullable public var seconds: Double?
    @Nullable public var reason: String?

    init(_ file: SoundFacts.File) {
        sound = file.name
        prayers = file.prayers.map(\.rawValue)
        reminder = file.occasion == .reminder
        occasion = file.occasion
        path = file.path
        shipped = file.isShipped
        switch file.outcome {
        case .decodes(let length):
            state = .decodes
            seconds = length
        case .questionable(let length, let why):
            state = .decodes
            seconds = length
            reason = why
        case .doubtful(let why):
            state = .doubtful
            reason = why
        case .broken(let why):
            state = .broken
            reason = why
        case .unreadable(let why):
            state = .unreadable
            reason = why
        case .missing: state = .missing
        case .unread: state = .unread
        }
    }

    var facts: SoundFacts.File? {
        let outcome: SoundFacts.File.Outcome =
            switch state {
            case .decodes:
                reason.map { .questionable(seconds: seconds ?? 0, reason: $0) }
                    ?? .decodes(seconds: seconds ?? 0)
            case .doubtful: .doubtful(reason: reason ?? "")
            case .broken: .broken(reason: reason ?? "")
            case .unreadable: .unreadable(reason: reason ?? "")
            case .missing: .missing
            case .unread: .unread
            }
        var file = SoundFacts.File(
            name: sound, prayers: prayers.compactMap(Prayer.init), path: path, outcome: outcome)
        file.occasion = occasion ?? (reminder ? .reminder : .adhan)
        file.isShipped = shipped
        return file
    }
}

extension CheckDocument {
    /// The outcome of trying the devices; `nil` where none was tried.
    public var deviceLook: DeviceLook? {
        let tried = devices.compactMap(\.facts)
        guard !tried.isEmpty else { return nil }
        let working = tried.first { $0.outcome == .opens }
        let problems =
            working.map { [$0.silence?.sentence].compactMap(\.self) } ?? [
                SoundFacts.Device.failures(tried[...])
            ]
        return DeviceLook(devices: tried.map(\.name), device: working?.name, problems: problems)
    }
}
