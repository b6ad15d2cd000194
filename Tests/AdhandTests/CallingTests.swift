import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Calling the adhan", .serialized) struct CallingTests {
    static let standard = LabBox.audio.appending(path: "standard")

    @Test("Dhuhr is called at its second, sample by sample, and recorded with its proof")
    func dhuhr() async throws {
        let place = Spot(noonIn: 13)
        let box = try LabBox("[adhan]\nvolume = 60\n", place: place)
        try await box.start()
        #expect(try box.status.next?.id == place.id)
        #expect(try box.call(.getTimers).timers.contains { $0.id == place.id })

        let entry = try await box.entry(place.id, within: 40)
        #expect(entry.outcome == .played)
        #expect((0..<20).contains(try #require(entry.latenessMs)))
        #expect(abs(try #require(box.card.starts.first) - place.noon.unixSeconds) < 0.02)
        let file = Self.standard.appending(path: "\(place.prayer.rawValue).mp3")
        let expected = try Recording.expected(file, volume: 60)
        let heard = box.card.heardS16
        #expect(try #require(distance(heard.prefix(expected.count), expected)) <= 1)
        #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 })
        #expect(entry.framesPlayed == expected.count / 2)
        #expect(entry.framesDecoded == entry.framesPlayed)
        #expect(entry.dropouts == 0)
        #expect(entry.gainDb == -13.3)
        #expect(entry.device == "default")
        #expect(entry.sound == ["standard"])

        let title = place.prayer.title
        let log = try #require(box.program).text
        #expect(log.contains("\(title): adhan started "))
        #expect(log.contains(" on \"default\" (standard, "))
        #expect(log.contains("\(title): finished, "))
        #expect(log.contains("no dropouts"))
        #expect(try box.status.prayers.first { $0.prayer == place.prayer.rawValue }?.state == .played)
        #expect(box.history.count == 1)
    }

    @Test("What is muted, silent or switched off makes no sound and says why")
    func quiet() async throws {
        let place = Spot(noonIn: 4)
        let noon = place.prayer.rawValue
        let box = try LabBox(
            "[adhan.isha]\nsound = \"silent\"\n[adhan.\(noon)]\nenabled = false\n", place: place)
        try await box.start()
        #expect(try !box.call(.getTimers).timers.contains { $0.id.contains(noon) })
        #expect(try box.status.prayers.first { $0.prayer == noon }?.state == .disabled)

        let silent = try #require(try box.trigger("isha").id)
        let silence = try await box.entry(silent)
        #expect(silence.outcome == .silent)
        #expect(silence.reason == "its sound is \"silent\"")

        #expect(try box.change(.mute, MuteParameters()).message.hasPrefix("muted until unmuted"))
        let muted = try #require(try box.trigger("asr").id)
        let mute = try await box.entry(muted)
        #expect(mute.outcome == .muted)
        #expect(mute.reason == "muted until unmuted")
        try await Task.sleep(
            for: .seconds(max(0, place.noon.unixSeconds - Date().timeIntervalSince1970 + 0.2)))
        try box.change(.unmute)
        let off = try await box.entry(place.id)
        #expect(off.outcome == .disabled)
        #expect(off.reason == "switched off in the configuration")
        #expect(box.card.starts.isEmpty)
        #expect(try #require(box.program).text.contains("was not called: muted until unmuted"))
    }

    @Test("Switching a prayer off while it is called fades it out, and stays switched off after a restart")
    func toggledWhilePlaying() async throws {
        let place = Spot(noonIn: 3)
        let box = try LabBox("[audio]\nfade-out = \"0s\"\n", place: place)
        let program = try await box.start()
        #expect(try await box.isPlaying())
        let name = place.prayer.rawValue
        #expect(
            try box.change(.disablePrayers, PrayersParameters(prayers: [name])).message.hasPrefix(
                place.prayer.title))
        let entry = try await box.entry(place.id)
        #expect(entry.outcome == .interrupted)
        #expect(entry.endedBy == "adhanctl disable")
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        try await box.start()
        #expect(try box.status.prayers.first { $0.prayer == name }?.enabled == false)
    }

    @Test("stop within the first tenth of a second leaves a short, faded sound")
    func stopAtOnce() async throws {
        let box = try LabBox("[audio]\nfade-out = \"1s\"\n")
        try await box.start()
        var monitor = try Caller(box.socket)
        try monitor.send(Varlink.call(.monitor, MonitorParameters(), more: true))
        let id = try #require(try box.trigger("asr", in: "1s").id)
        while let event = try monitor.receiveText(), !event.contains("\"prayer.started\"") {}
        #expect(try box.change(.stop).message == "stopping Asr (simulated)")
        let entry = try await box.entry(id)
        #expect(entry.outcome == .interrupted)
        #expect(entry.endedBy?.hasPrefix("adhanctl stop") == true)
        #expect((44_100 * 9 / 10...44_100 * 14 / 10).contains(entry.framesPlayed))
        let heard = box.card.heardS16.prefix(2 * entry.framesPlayed)
        #expect(heard.suffix(200).allSatisfy { abs(Int($0)) < 50 })
        #expect(heard.prefix(20_000).contains { abs(Int($0)) > 1000 })
    }

    @Test("Of two announcements that overlap the later takes over at its instant")
    func overlap() async throws {
        let box = try LabBox()
        try await box.start()
        let first = try #require(try box.trigger("asr").id)
        let second = try #require(try box.trigger("isha", in: "2s").id)
        let cut = try await box.entry(first)
        #expect(cut.outcome == .interrupted)
        #expect(cut.endedBy == second)
        let whole = try await box.entry(second)
        #expect(whole.outcome == .played)
        let lateness = try #require(whole.latenessMs)
        // The sound that gives way is faded out first, and the device changes hands.
        #expect((0..<200).contains(lateness))
        let expected = try Recording.expected(Self.standard.appending(path: "isha.mp3"), volume: 80)
        #expect(whole.framesPlayed == expected.count / 2)
    }

    @Test("A reminder that still sounds gives way to the adhan")
    func reminder() async throws {
        let place = Spot(noonIn: 6)
        let box = try LabBox("[adhan]\nreminders = [\"3s\"]\nreminder-sound = \"standard\"\n", place: place)
        try await box.start()
        let adhan = try await box.entry(place.id, within: 30)
        #expect(adhan.outcome == .played)
        let reminder = try await box.entry("reminder-3s_\(place.id)")
        #expect(reminder.outcome == .interrupted)
        #expect(reminder.endedBy == place.id)
        #expect(try #require(box.program).text.contains("reminder 3s before \(place.prayer.title) started"))
    }

    @Test("A reload and a hundred requests while it plays change nothing that is heard")
    func busyWhilePlaying() async throws {
        let box = try LabBox()
        try await box.start()
        let id = try #require(try box.trigger("asr").id)
        #expect(try await box.isPlaying())
        try box.configure("[adhan]\nvolume = 10\n")
        #expect(
            try box.change(.reload, ReloadParameters()).message.hasPrefix(
                "reloaded \(box.configuration.path)"))
        var caller = try Caller(box.socket)
        let request = try Varlink.call(.getStatus, NoParameters())
        try caller.send(Array((0..<100).map { _ in request }.joined()))
        for _ in 0..<100 {
            let status = try Varlink.read(StatusReply.self, from: try #require(try caller.receive())).document
                .status
            #expect(status.playback.state == .playing)
            #expect(status.prayers.first?.volume == 10)
        }
        let entry = try await box.entry(id)
        #expect(entry.outcome == .played)
        #expect(entry.dropouts == 0)
        let expected = try Recording.expected(Self.standard.appending(path: "asr.mp3"), volume: 80)
        #expect(try #require(distance(box.card.heardS16.prefix(expected.count), expected)) <= 1)
    }
}
