import Foundation
import LabSupport
import Protocol
import Settings
import Testing

/// Settings by command with the real programs: their files, kills, and what adhanctl says.
@Suite("Settings by command, on a disk", .serialized)
struct SettingsTests {
    private func adhanctl(_ box: LabBox, _ words: String...) async throws -> (status: Int32?, text: String) {
        let path = BuiltProgram.path("adhanctl", beside: Program.path)
        let arguments = ["-c", "exec \"$0\" --socket \"$@\" >&2", path, box.socket] + words
        let program = try Program(
            arguments, in: box.directory, environment: box.card.environment, launcher: ("/bin/sh", []))
        return (try await program.exitStatus(within: 60), program.text)
    }

    private func kill(_ program: Program) async throws {
        program.send(SIGKILL)
        _ = try await program.exitStatus()
    }

    private func settings(_ box: LabBox) throws -> SettingsReply {
        try box.call(.getSettings, SettingsPrefixParameters())
    }

    @Test(
        "What adhanctl set answered is in force after a kill; the file stays as it is; --file writes it, and wins"
    )
    func life() async throws {
        let box = try LabBox(
            "[adhan]\nvolume = 70\n[control]\nloudest = 90\npinned = [\"adhan.isha.volume\"]\n")
        let text = try Data(contentsOf: box.configuration)
        var program = try await box.start()
        let (status, output) = try await adhanctl(box, "set", "adhan.fajr.volume", "45")
        #expect(status == 0 && output.contains("adhan.fajr.volume 70 → 45 (change 1)"), "\(output)")
        try await kill(program)
        program = try await box.start()
        #expect(try box.status.prayers.first?.volume == 45)
        #expect(try settings(box).settings.map(\.state) == [.set])
        #expect(try Data(contentsOf: box.configuration) == text)
        for (words, wanted) in [
            (["adhan.isha.volume", "45"], Int32(1)), (["adhan.volume", "95"], 65),
            (["adhan.volume", "hush"], 64),
            (["adhan.volum", "45"], 64),
        ] {
            let (status, output) = try await adhanctl(box, "set", words[0], words[1])
            #expect(status == wanted, "\(words): \(output)")
        }
        let list = try await adhanctl(box, "settings")
        #expect(list.status == 0 && list.text.contains("adhan.fajr.volume") && list.text.contains("set by"))
        #expect(try await adhanctl(box, "check").text.contains("adhan.fajr.volume = 45"))
        #expect(try await adhanctl(box, "set", "--undo").status == 0)
        #expect(try box.status.prayers.first?.volume == 70)
        #expect(try await adhanctl(box, "settings", "undo").status == 0)
        #expect(try box.status.prayers.first?.volume == 45)
        // A file with another value overrides the setting.
        try Data(text + "[adhan.fajr]\nvolume = 33\n".utf8).write(to: box.configuration)
        #expect(try await adhanctl(box, "reload").status == 0)
        #expect(try box.status.prayers.first?.volume == 33)
        #expect(try settings(box).settings.map(\.state) == [.superseded])
        #expect(try await adhanctl(box, "settings", "reset", "adhan.fajr.volume").status == 0)
        #expect(try settings(box).settings.isEmpty)
        let log = try await adhanctl(box, "settings", "log")
        #expect(log.text.contains("undoes change 1") && log.text.contains("45 → not set"), "\(log.text)")
        program.send(SIGTERM)
    }

    @Test("A damaged file of settings is set aside, the one of before counts, and status says so")
    func damaged() async throws {
        let box = try LabBox("")
        var program = try await box.start()
        #expect(try await adhanctl(box, "set", "adhan.volume", "45").status == 0)
        #expect(try await adhanctl(box, "set", "adhan.volume", "50").status == 0)
        try await kill(program)
        let file = box.state.appending(path: SettingsLayer.fileName)
        try Data(try Data(contentsOf: file).prefix(40)).write(to: file)
        program = try await box.start()
        #expect(try box.status.prayers.first?.volume == 45)
        #expect(try box.status.settingsProblem?.message.contains("settings.json.broken-") == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: box.state.path)
        #expect(names.contains { $0.hasPrefix("settings.json.broken-") })
        #expect(try await adhanctl(box, "set", "adhan.volume", "60").status == 0)
        #expect(try box.status.settingsProblem == nil)
        try await kill(program)
        program = try await box.start()
        #expect(try box.status.prayers.first?.volume == 60)
        program.send(SIGTERM)
    }
}
