import BoxSupport
import Console
import Foundation
import Places
import PrayerEngine
import Settings
import Texts
import Times

/// A machine as `setup` may find it; zones are the system's own files.
enum Machine {
    static func zone(_ name: String) -> Zone? {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name) else {
            return nil
        }
        return try? Zone(name: name, tzif: [UInt8](data))
    }

    /// 2026-11-20 12:00 UTC.
    static let now = Instant(unixSeconds: 1_795_176_000)

    static func inputs(
        _ text: String? = nil, system: String = "Etc/UTC", devices: [String] = ["default", "hdmi:0"],
        recordings: Bool = true, timetables: Bool = false, belongings: PlaceBelongings = PlaceBelongings(),
        receiver: Bool = false, messages: SetupMessages = .unavailable, template: String? = nil
    ) throws -> SetupInputs {
        let gazetteer = try Embedded.gazetteer()
        // Where its zone is named after: enough for these tests.
        let place =
            system == "Asia/Dhaka"
            ? ZonePlaces(zoneTab: Array("BD\t+2343+09025\tAsia/Dhaka\n".utf8), zone1970Tab: [], rules: [])
                .place(of: system) : nil
        return SetupInputs(
            gazetteer: gazetteer, file: "/tmp/adhand.toml", text: text.map { Array($0.utf8) },
            config: try text.map { try ConfigLoader.load(text: $0, file: "adhand.toml") } ?? .default,
            devices: devices.map { .init(name: $0, description: "") }, systemZone: zone(system) ?? .utc,
            zonePlace: place, now: now, acceptsRecordings: recordings, acceptsTimetables: timetables,
            belongings: belongings, hasReceiver: receiver, messages: messages,
            template: template.map { Array($0.utf8) }, zone: zone)
    }

    /// One Fajr with its congregation; a warning where the name says so.
    static func timetable(_ file: String) -> TimetableOutcome {
        guard file.hasSuffix(".csv"), let date = CivilDate("2026-11-20") else {
            return .refused(reason: "\"\(file)\": there is no row with a date and times in it")
        }
        let table = PublishedTimetable(
            dated: [
                date: .init(cellMinutes: [.begins(.fajr): 330, .iqama(.fajr, slot: 1): 350], sources: [])
            ])
        return .understood(
            SetupTimetable(
                file: file, table: table, lines: ["  1 day"], warnings: file.contains("doubtful") ? 1 : 0))
    }

    /// Everything said and asked while these answers are given; signals are played, recordings added.
    static func talk(
        _ conversation: inout SetupConversation, _ answers: [String],
        position: ReceiverPosition = .unknown(reason: "gpsd has no receiver"),
        signal: (String, Int) -> SignalOutcome = { _, _ in .played(note: nil) }
    ) -> (text: String, end: SetupStep) {
        go(&conversation, answers, from: conversation.begin(), position: position, signal: signal)
    }

    /// The same further on: from the question that was asked last, where no turn is given.
    static func go(
        _ conversation: inout SetupConversation, _ answers: [String], from first: SetupTurn? = nil,
        position: ReceiverPosition = .unknown(reason: "gpsd has no receiver"),
        signal: (String, Int) -> SignalOutcome = { _, _ in .played(note: nil) }
    ) -> (text: String, end: SetupStep) {
        var answers = answers
        var turn = first ?? conversation.answer(answers.removeFirst())
        var (text, rest) = ("", answers[...])
        for _ in 0..<200 {
            text += turn.lines.map { $0 + "\n" }.joined()
            switch turn.next {
            case .ask(let prompt):
                guard let answer = rest.popFirst() else { return (text + prompt, turn.next) }
                text += prompt + answer + "\n"
                turn = conversation.answer(answer)
            case .play(let device, let volume): turn = conversation.played(signal(device, volume))
            case .importSound(let file):
                turn = conversation.imported(
                    file.hasSuffix(".mp3")
                        ? .added(name: "mine", sentence: "Added as mine.") : .refused(reason: "it is a text"))
            case .readTimetable(let file): turn = conversation.timetableRead(timetable(file))
            case .sendMessage(let address):
                turn = conversation.messageSent(
                    address.contains("nowhere")
                        ? .failed(reason: "the server's name is not known") : .delivered)
            case .locate: turn = conversation.located(position)
            case .save, .leave: return (text, turn.next)
            }
        }
        return (text, turn.next)
    }
}
