import PrayerEngine
package import Protocol
import Settings
import Texts

/// A message from a broker.
package struct IncomingMessage: Sendable, Equatable {
    package let topic: String
    package let payload: [UInt8]
    package let isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}

/// A request to adhand on behalf of a person on the network.
package enum BridgeRequest: Sendable, Equatable {
    case mute(MuteParameters)
    case unmute
    case stop
    case test(TestPlayParameters)
    case enable(PrayersParameters)
    case disable(PrayersParameters)

    /// The claim of these requests, as adhand logs it.
    package static let claim = CallerClaim(actor: "Home Assistant", role: .household)

    var kind: BridgeCommandKind {
        switch self {
        case .mute, .unmute: .mute
        case .stop: .stop
        case .test: .test
        case .enable, .disable: .prayers
        }
    }
}

/// The reason why a message is dropped, which is logged once a minute.
package enum CommandRefusal: String, Error, Sendable, CaseIterable {
    /// The broker retained the message, which would repeat the command at every connection.
    case retained
    case oversized
    case notText
    case unknown
    case notAllowed

    package var sentence: String {
        switch self {
        case .retained:
            "it is retained, and would be obeyed at every connection; publish commands without retain"
        case .oversized: "it has more than \(BridgeCommand.mostBytes) bytes"
        case .notText: "it is not UTF-8"
        case .unknown: "there is no such command; see adhan-bridge(8)"
        case .notAllowed: "mqtt.commands.allow in bridge.toml does not have it"
        }
    }
}

/// The answer to a command, sent to the topic that the command names.
package struct CommandAnswer: Codable, Sendable, Equatable {
    package let ok: Bool
    package let message: String

    package init(ok: Bool, message: String) { (self.ok, self.message) = (ok, message) }
}

/// Reads commands that come from the broker.
package enum BridgeCommand {
    package static let mostBytes = 1024

    private struct MuteDocument: Codable {
        var duration: String?
        var until: String?
        var next: Bool?
    }

    /// - Returns: the request to adhand. Every mute has an end.
    package static func read(
        _ message: IncomingMessage, _ topics: Topics, _ settings: CommandSettings, _ box: BoxSnapshot?
    ) throws(CommandRefusal) -> BridgeRequest {
        guard !message.isRetained else { throw .retained }
        guard message.payload.count <= mostBytes else { throw .oversized }
        guard let text = String(validating: message.payload, as: UTF8.self) else { throw .notText }
        let prefix = topics.command("")
        guard message.topic.hasPrefix(prefix) else { throw .unknown }
        let name = String(message.topic.dropFirst(prefix.count))
        guard let request = request(name, text, settings, box) else { throw .unknown }
        guard settings.allowed.contains(request.kind) else { throw .notAllowed }
        return request
    }

    private static func request(
        _ name: String, _ text: String, _ settings: CommandSettings, _ box: BoxSnapshot?
    ) -> BridgeRequest? {
        switch name {
        case "mute": return mute(text, settings, box)
        case "stop": return text == "press" ? .stop : nil
        case "test":
            // A person in the room most likely wants to hear the next prayer.
            if text == "press" {
                return .test(.init(prayer: box?.status.next?.prayer ?? Prayer.dhuhr.rawValue))
            }
            return Prayer(rawValue: text).map { .test(.init(prayer: $0.rawValue)) }
        default:
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "prayers", let prayer = Prayer(rawValue: String(parts[1]))
            else {
                return nil
            }
            switch text {
            case "on": return .enable(.init(prayers: [prayer.rawValue]))
            case "off": return .disable(.init(prayers: [prayer.rawValue]))
            default: return nil
            }
        }
    }

    private static func mute(_ text: String, _ settings: CommandSettings, _ box: BoxSnapshot?)
        -> BridgeRequest?
    {
        let most = MuteParameters(duration: DurationText.format(settings.maxMuteSeconds))
        if text == "on" { return .mute(most) }
        if text == "off" { return .unmute }
        guard let asked = try? JSON.decode(MuteDocument.self, from: text.utf8) else { return nil }
        switch (asked.duration, asked.until, asked.next) {
        case (let duration?, nil, nil):
            guard let seconds = DurationText.parse(duration), seconds > 0 else { return nil }
            return .mute(seconds > settings.maxMuteSeconds ? most : MuteParameters(duration: duration))
        case (nil, let until?, nil):
            guard let end = instant(until, box) else { return nil }
            // An end beyond the longest mute is shortened to it.
            return .mute(end.wait > settings.maxMuteSeconds ? most : MuteParameters(until: end.word))
        case (nil, nil, true?): return .mute(MuteParameters(next: true))
        default: return nil
        }
    }

    /// A prayer or a time of day in adhand's form, with the time until then.
    private static func instant(_ until: String, _ box: BoxSnapshot?) -> (word: String, wait: Double)? {
        guard let box, let now = InstantText.parse(box.status.now) else { return nil }
        if let prayer = Prayer(rawValue: until) {
            let instants = box.agenda.filter { $0.kind == .adhan && $0.prayer == prayer.rawValue }
                .compactMap { InstantText.parse($0.at) }.filter { $0 > now }
            return instants.min().map { (prayer.rawValue, $0 - now) }
        }
        let parts = until.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, until.utf8.count == 5, let hours = parts[0], let minutes = parts[1],
            (0..<24).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        let zone = box.zone
        let today = zone.civilDate(of: now)
        let second = Double(hours * 3600 + minutes * 60)
        let next = (0...1).map { zone.instant(of: today.adding(days: $0), secondOfDay: second) }.first {
            $0 > now
        }
        return next.map { (until, $0 - now) }
    }
}

/// Limits the log to one line a minute about dropped messages.
package struct DropLog: Sendable, Equatable {
    private var count = 0
    private var loggedAt: Double?

    package init() {}

    /// - Returns: the line to log now; `nil` if there is none.
    package mutating func dropped(_ drop: CommandRefusal, _ topic: String, at uptime: Double) -> String? {
        count += 1
        if let loggedAt, uptime - loggedAt < 60 { return nil }
        defer { (count, loggedAt) = (0, uptime) }
        let more = count > 1 ? "; \(count - 1) more were dropped since" : ""
        return
            "a message on \"\(PlainText.visible(String(topic.prefix(200))))\" was dropped: \(drop.sentence)\(more)"
    }
}
