import PrayerEngine
import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

@Suite("What a house receives")
struct TopicTests {
    private let topics = Topics(prefix: "adhand", box: "9f2c")

    private func text(_ document: some Encodable) throws -> String {
        String(decoding: try JSON.encode(document), as: UTF8.self)
    }

    @Test("state, times and problems have the design's fields; what is not known is null")
    func payloads() throws {
        let box = try Documents.box()
        let state = try text(StatePayload(box))
        #expect(
            state.contains(
                #""next":{"at":"2026-11-24T14:16:00.000-05:00","id":"asr_20261124","prayer":"asr"}"#))
        #expect(
            state.contains(
                #""last":{"at":"2026-11-24T11:43:00.004-05:00","id":"dhuhr_20261124","outcome":"played","prayer":"dhuhr"}"#
            ))
        #expect(
            state.contains(#""playing":null"#) && state.contains(#""muteUntil":null"#)
                && state.contains(#""healthy":true"#))
        let muted = try text(StatePayload(try Documents.box(try Documents.status(muted: true))))
        #expect(muted.contains(#""muted":true"#) && muted.contains(#""muteUntil":"2026-11-24T14:00"#))
        let times = TimesPayload(box)
        // An Isha after midnight is this day's.
        #expect(times.date == "2026-11-24" && times.prayers["isha"] == "2026-11-25T00:10:00.000-05:00")
        #expect(times.iqama == ["asr": "2026-11-24T14:30:00.000-05:00"])
        #expect(times.tomorrow.prayers["fajr"] == "2026-11-25T05:29:00.000-05:00")
        #expect(
            try text(times).contains(#""dhuhr":null"#)
                && times.prayers["sunrise"] == "2026-11-24T06:54:00.000-05:00")
    }

    @Test("On a connection discovery comes first and status last; the same is not sent twice")
    func everything() throws {
        var config = BridgeConfig()
        config.mqtt.brokers = ["mqtt://a"]
        let book = AlertBook(box: "9f2c", name: "x")
        let all = topics.everything(try Documents.box(), book, config, programVersion: "1")
        #expect(
            all.map(\.topic).first == "homeassistant/device/adhand_9f2c/config"
                && all.last?.topic == "adhand/9f2c/status")
        #expect(all.allSatisfy(\.isRetained) && all.last?.payload == Topics.online)
        var sent = SentTopics()
        #expect(sent.changes(in: all) == all && sent.changes(in: all) == [])
        sent.forget()
        #expect(sent.changes(in: all) == all)
        // Without adhand nothing stale is said again.
        let down = topics.everything(nil, book, config, programVersion: "1")
        #expect(down.map(\.topic) == ["adhand/9f2c/problems", "adhand/9f2c/daemon", "adhand/9f2c/status"])
        #expect(
            down[1].payload == Topics.down && topics.will.payload == Topics.offline && topics.will.isRetained)
    }

    @Test("The state is sent when something is otherwise, and not because time goes by")
    func stateIsNews() throws {
        let book = AlertBook(box: "9f2c", name: "x")
        func all(_ now: String, muted: Bool) throws -> [Publication] {
            topics.everything(
                try Documents.box(Documents.status(now: now, muted: muted)), book, BridgeConfig(),
                programVersion: "1")
        }
        var sent = SentTopics()
        _ = sent.changes(in: try all("2026-11-24T12:00:00.000-05:00", muted: false))
        #expect(sent.changes(in: try all("2026-11-24T12:00:30.000-05:00", muted: false)) == [])
        let news = sent.changes(in: try all("2026-11-24T12:01:00.000-05:00", muted: true))
        #expect(news.map(\.topic) == ["adhand/9f2c/state"], "\(news)")
        let payload = try String(validating: #require(news.first).payload, as: UTF8.self)
        #expect(payload?.contains(#""at":"2026-11-24T12:01:00.000-05:00""#) == true)
    }

    @Test("Home Assistant gets controls only where they are allowed, and every entity by its own identity")
    func discovery() throws {
        let box = try Documents.box()
        var config = BridgeConfig()
        let plain = Discovery(box, topics, config, programVersion: "1")
        let expected: Set<String> = [
            "next_prayer", "last_prayer", "next_prayer_time", "last_prayer_time", "mute_until", "fajr_time",
            "dhuhr_time",
            "asr_time", "maghrib_time", "isha_time", "jumua_time", "sunrise_time", "asr_iqama", "jumua_iqama",
            "state",
            "problem", "adhan",
        ]
        #expect(Set(plain.components.keys) == expected)
        #expect(plain.components.allSatisfy { $1.unique_id == "adhand_9f2c_\($0)" })
        config.commands.allowed = BridgeCommandKind.allCases
        let all = Discovery(box, topics, config, programVersion: "1")
        #expect(
            Set(all.components.keys).subtracting(expected)
                == Set(["mute", "stop", "test"] + Prayer.allCases.map { "enable_\($0.rawValue)" }))
        // Days differ in their prayers and iqamas: a template that names one by a dot makes a warning on those without it.
        for (key, component) in all.components {
            let names = Prayer.allCases.map { ".\($0.rawValue)" } + [".sunrise"]
            #expect(!names.contains { component.value_template?.contains($0) == true }, "\(key)")
        }
        #expect(all.components["mute"]?.command_topic == "adhand/9f2c/cmd/mute")
        #expect(all.components["adhan"]?.event_types == EventType.allCases.map(\.rawValue))
        let written = try text(all)
        #expect(
            written.contains(#""identifiers":["adhand_9f2c"]"#)
                && written.contains(#""availability_mode":"all""#))
    }

    @Test("Events: each once, by what adhand says; reminders and tests are none")
    func events() throws {
        var mapper = EventMapper()
        func entry(_ kind: Notice.Kind, _ id: String, _ cause: EndCause? = nil) throws -> LogEntry {
            var fields = Notice.Fields(id: id, prayer: .asr, scheduled: try instant("2026-11-24T19:16:00Z"))
            fields.cause = cause
            return LogEntry(
                Notice(kind, .info, at: try instant("2026-11-24T19:15:50Z"), "x", fields), in: .utc)
        }
        let cued = try #require(mapper.event(try entry(.prayerCued, "asr_20261124"), volume: 80))
        #expect(cued.event_type == .preroll && cued.leadMs == 10_000 && cued.volume == 80 && !cued.pretended)
        #expect(mapper.event(try entry(.prayerReleased, "asr_20261124", .mute))?.event_type == .muted)
        // At its instant adhand says so once more.
        #expect(mapper.event(try entry(.prayerMuted, "asr_20261124")) == nil)
        #expect(mapper.event(try entry(.prayerCued, "asr_20261124"))?.event_type == .preroll)
        #expect(mapper.event(try entry(.prayerStarted, "asr_20261124"))?.event_type == .started)
        // A recording gave way to the signal: nothing is over.
        #expect(mapper.event(try entry(.prayerFailed, "asr_20261124")) == nil)
        #expect(mapper.event(try entry(.prayerInterrupted, "asr_20261124", .stop))?.event_type == .stopped)
        #expect(mapper.event(try entry(.prayerFailed, "isha_20261124", .device))?.event_type == .failed)
        #expect(mapper.event(try entry(.prayerCued, "trigger-3_asr_1795197600"))?.pretended == true)
        for id in ["reminder-10m_asr_20261124", "iqama-reminder-5m_asr_20261124", "test-4_fajr"] {
            #expect(mapper.event(try entry(.prayerCued, id)) == nil)
        }
        #expect(mapper.event(try entry(.muteChanged, "asr_20261124")) == nil)
    }

    @Test("What is near, and when a congregation stands up, comes from the agenda")
    func agenda() throws {
        let agenda = try Documents.box().agenda
        let (noon, near) = (
            try instant("2026-11-24T12:00:00-05:00"), try instant("2026-11-24T14:06:00-05:00")
        )
        let next = try #require(EventMapper.next(in: agenda, after: noon, upcomingSeconds: 600))
        #expect(next.type == .upcoming && next.occasion.id == "asr_20261124" && next.at == near)
        let (after, stands) = (
            try instant("2026-11-24T14:20:00-05:00"), try instant("2026-11-24T14:30:00-05:00")
        )
        let iqama = try #require(EventMapper.next(in: agenda, after: after, upcomingSeconds: 600))
        #expect(iqama.type == .iqama && iqama.at == stands)
        #expect(EventMapper.next(in: agenda, after: noon, upcomingSeconds: 0)?.type == .iqama)
    }

    @Test("Figures have the design's names, one HELP and TYPE each, and a line for each state")
    func metrics() throws {
        let box = try Documents.box()
        let book = AlertBook(box: "9f2c", name: "x")
        let text = Metrics.text(box, history: box.history, book, Metrics.Counts(), version: "1")
        for line in [
            #"adhand_build_info{version="0.1.0"} 1"#, "adhand_up 1",
            #"adhand_adhans_total{prayer="dhuhr",result="played"} 1"#,
            #"adhand_adhan_next_timestamp_seconds{prayer="asr"} 1795547760"#,
            #"adhand_state{state="idle"} 1"#,
            #"adhand_state{state="playing"} 0"#, "adhand_muted 0", #"adhand_prayer_enabled{prayer="fajr"} 1"#,
            "adhand_clock_trusted 1", #"adhand_problem{alert="daemon"} 0"#, "adhand_bridge_mqtt_connected 0",
            "adhand_alert_queue 0",
            "adhand_adhan_last_start_delay_seconds 0.004",
        ] { #expect(text.contains(line + "\n"), "\(line) in \(text)") }
        let families = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(Set(families).count == families.count && !text.contains("adhand_timetable_end"))
        #expect(!text.contains("adhand_output"))
        let down = Metrics.text(nil, history: [], book, Metrics.Counts(), version: "1")
        #expect(down.contains("adhand_up 0\n") && !down.contains("adhand_muted"))
    }

    @Test("Each output has its figures: whether it is well, the outcomes, and how late the last one began")
    func outputMetrics() throws {
        let status = try Documents.status(outputs: [
            OutputState(name: "hall", devices: ["hw:1"], healthy: true, required: true, state: .idle),
            OutputState(name: "horn", devices: ["hw:2"], healthy: false, required: false, state: .idle),
        ])
        func entry(_ prayer: String, horn: OutputProof.Ending, lateness: Double) -> HistoryEntry {
            var entry = HistoryEntry(
                id: "\(prayer)_20261124", prayer: prayer, scheduled: "2026-11-24T11:43:00.000-05:00",
                outcome: .played, sound: ["standard"])
            var hall = OutputProof(name: "hall", outcome: .played, volume: 80)
            hall.latenessMs = lateness
            entry.outputs = [hall, OutputProof(name: "horn", outcome: horn, volume: 80)]
            return entry
        }
        let history = [
            entry("fajr", horn: .quiet, lateness: 12), entry("dhuhr", horn: .failed, lateness: 42),
        ]
        let text = Metrics.text(
            try Documents.box(status), history: history, AlertBook(box: "9f2c", name: "x"), Metrics.Counts(),
            version: "1")
        for line in [
            "# TYPE adhand_output_healthy gauge", #"adhand_output_healthy{output="hall"} 1"#,
            #"adhand_output_healthy{output="horn"} 0"#, "# TYPE adhand_output_outcomes_total counter",
            #"adhand_output_outcomes_total{outcome="played",output="hall"} 2"#,
            #"adhand_output_outcomes_total{outcome="failed",output="horn"} 1"#,
            #"adhand_output_outcomes_total{outcome="quiet",output="horn"} 1"#,
            "# TYPE adhand_output_lateness_seconds gauge",
            #"adhand_output_lateness_seconds{output="hall"} 0.042"#,
        ] { #expect(text.contains(line + "\n"), "\(line) in \(text)") }
        #expect(!text.contains(#"adhand_output_lateness_seconds{output="horn"}"#))
    }
}
