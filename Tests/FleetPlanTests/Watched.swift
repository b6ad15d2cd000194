import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

/// A watcher, its broker and boxes, in a time that a test moves on.
struct Watched {
    static let day = InstantText.parse("2027-01-10T00:00:00Z")!
    var watch: FleetWatch
    var seconds = 0.0
    /// Alarms by name and box that were begun, and those that were ended, in their order.
    var begun: [String] = []
    var ended: [String] = []
    private var open: Set<AlertIdentity> = []

    init(_ settings: WatchSettings = WatchSettings(), at seconds: Double = 12 * 3600) {
        self.seconds = seconds
        watch = FleetWatch(
            org: "noor", settings, at: Timestamp(wall: Self.day + seconds, uptime: seconds + 500))
        watch.brokerConnected(at: now)
    }

    var now: Timestamp { Timestamp(wall: Self.day + seconds, uptime: seconds + 500) }

    static func text(_ seconds: Double) -> String { InstantText.rfc3339(day + seconds, in: .utc) }

    mutating func send(_ box: String, _ topic: String, _ payload: String, isRetained: Bool = false) {
        watch.receive(
            "adhand/v1/noor/\(box)/up/\(topic)", Array(payload.utf8), isRetained: isRetained, at: now)
    }

    mutating func status(
        _ box: String, _ state: String = "online", hardware: String = "h", isRetained: Bool = false
    ) {
        send(
            box, "status",
            #"{"v":1,"state":"\#(state)","at":"\#(Self.text(seconds))","boot":"b","version":"1","image":null,"hardware":"\#(hardware)-\#(box)","adhand":"up","beat":60,"groups":["uk/london"]}"#,
            isRetained: isRetained)
    }

    mutating func beat(_ box: String) {
        send(box, "hb", #"{"v":1,"at":"\#(Self.text(seconds))","seq":1}"#)
    }

    mutating func plan(
        _ box: String, _ entries: [(id: String, at: Double)], days: Double = 7, isRetained: Bool = false
    ) {
        let list = entries.map {
            #"{"id":"\#($0.id)","prayer":"\#($0.id.prefix { $0 != "_" })","at":"\#(Self.text($0.at))","grace":120}"#
        }
        send(
            box, "plan",
            #"{"v":1,"made":"\#(Self.text(seconds))","until":"\#(Self.text(seconds + days * 86_400))","entries":[\#(list.joined(separator: ","))]}"#,
            isRetained: isRetained)
    }

    func adhan(_ id: String, due: Double, _ state: String, cause: String? = nil, at: Double? = nil) -> String
    {
        #"{"v":1,"id":"\#(id)","prayer":"\#(id.prefix { $0 != "_" })","due":"\#(Self.text(due))","state":"\#(state)","at":"\#(Self.text(at ?? seconds))","latenessMs":12,"reason":"no device opens","cause":\#(cause.map { "\"\($0)\"" } ?? "null"),"ear":null}"#
    }

    mutating func report(_ box: String, _ id: String, due: Double, _ state: String, cause: String? = nil) {
        send(box, "adhan/\(id.prefix { $0 != "_" })", adhan(id, due: due, state, cause: cause))
    }

    /// Boxes that are there, each with one adhan at the instant, and others later.
    mutating func boxes(_ names: [String], due: Double) {
        for name in names {
            plan(
                name,
                [("dhuhr_20270110", due), ("asr_20270110", due + 9000)]
                    + (1...6).map { ("dhuhr_2027011\($0)", due + Double($0) * 86_400) })
            status(name)
        }
    }

    /// Lives on, with a beat of these boxes each minute.
    mutating func live(_ duration: Double, beats: [String] = []) {
        let end = seconds + duration
        while seconds < end {
            seconds += 5
            if seconds.truncatingRemainder(dividingBy: 60) == 0 { for box in beats { beat(box) } }
            update()
        }
    }

    mutating func update() {
        for alert in watch.advance(to: now) {
            let text =
                "\(alert.identity.name.rawValue) \(alert.identity.box)"
                .trimmingSpaces + (alert.identity.subject.isEmpty ? "" : " \(alert.identity.subject)")
            if alert.endsAt == nil {
                if open.insert(alert.identity).inserted { begun.append(text) }
            } else if open.remove(alert.identity) != nil {
                ended.append(text)
            }
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String { hasSuffix(" ") ? String(dropLast()) : self }
}
