import Foundation
import LabSupport
import Protocol
import Testing

/// The rights of users, tried with users of the kernel's own making: numbers are enough, no account is needed.
@Suite(
    "Roles on the control socket", .serialized,
    .enabled(if: geteuid() == 0, "only root can become somebody else"))
struct RolesTests {
    struct Role: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let user: UInt32
        let group: UInt32
        var others: [UInt32] = []
        let mayChange: Bool
    }

    /// The daemon runs as this user, in its own group of the same number.
    static let daemon: UInt32 = 64_101
    /// Debian gives the group "games" this number everywhere (base-passwd).
    static let games: UInt32 = 60

    static let roles = [
        Role(testDescription: "root", user: 0, group: 0, mayChange: true),
        Role(testDescription: "the daemon's own user", user: daemon, group: 64_199, mayChange: true),
        Role(
            testDescription: "a member of the group", user: 64_102, group: 64_102, others: [64_150, games],
            mayChange: true),
        Role(testDescription: "one whose first group it is", user: 64_103, group: games, mayChange: true),
        Role(testDescription: "a stranger", user: 64_104, group: 64_104, mayChange: false),
        Role(
            testDescription: "a member of many other groups", user: 64_105, group: 64_105,
            others: Array(64_200..<64_300), mayChange: false),
        Role(
            testDescription: "a member of the daemon's group, which is not the control group", user: 64_106,
            group: daemon, others: [daemon], mayChange: false),
        Role(testDescription: "nobody", user: 65_534, group: 65_534, mayChange: false),
    ]

    static let reading = ControlMethod.all.filter { if case .reading = $0.access { true } else { false } }
    static let changing = ControlMethod.all.filter { if case .change = $0.access { true } else { false } }
    static let names = (reading + changing).map(\.name)

    /// The parameters that each method needs, as the script reads them.
    private static var parameters: String {
        let members = (reading + changing).map { "\"\($0.name)\":\($0.sampleParameters(onlyNeeded: true))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// Calls every method on a connection of its own and says of each whether it was denied.
    private static let script = """
        import json, socket, sys
        parameters = json.loads(sys.argv[2]) | {
                      "EnablePrayers": {"prayers": ["asr"]}, "DisablePrayers": {"prayers": ["asr"]},
                      "PlaySound": {"name": "no such sound"}, "TestPlay": {"prayer": "asr", "seconds": 0.1},
                      "Trigger": {"prayer": "asr", "delay": "2h"},
                      "TestDevice": {"device": "nonsense", "volume": 30},
                      "SetSettings": {"changes": [{"key": "adhan.asr.volume", "value": "50"}]}}
        for method in sys.argv[3:]:
            s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
            call = {"method": "org.adhand.Control." + method, "parameters": parameters.get(method, {})}
            if method == "Monitor":
                call["more"] = True
            s.sendall(json.dumps(call).encode() + b"\\0")
            answer = b""
            # A monitor has nothing to say until something happens; that it is not turned away is its answer.
            s.settimeout(0.3 if method == "Monitor" else 20)
            try:
                while not answer.endswith(b"\\0"):
                    piece = s.recv(65536)
                    if not piece: sys.exit(method + ": no answer")
                    answer += piece
            except TimeoutError:
                if method != "Monitor": raise
            sys.stderr.write("%s %s\\n" % (method, "denied" if b"NotPermitted" in answer else "done"))
        """

    @Test("Every method is for those whom it is for", arguments: roles)
    func methods(role: Role) async throws {
        let box = try LabBox("[control]\ngroup = \"games\"\n")
        let program = try Self.copy(in: box)
        try await box.start(
            launcher: (
                "/usr/bin/setpriv", Self.identity(Self.daemon, Self.daemon, []) + [program]
            ))
        let caller = try Program(
            ["/usr/bin/python3", "-c", Self.script, box.socket, Self.parameters] + Self.names,
            in: box.directory,
            environment: [:],
            launcher: ("/usr/bin/setpriv", Self.identity(role.user, role.group, role.others)))
        let status = try await caller.exitStatus(within: 60)
        try #require(status == 0, "\(caller.text)")
        let answers = caller.text.split(separator: "\n").map(String.init)
        #expect(
            answers == Self.reading.map { "\($0.name) done" }
                + Self.changing.map { "\($0.name) \(role.mayChange ? "done" : "denied")" })
        let toggled = try box.call(.getLog, LogParameters()).entries.contains { $0.event == "toggle.changed" }
        #expect(toggled == role.mayChange)
        #expect(
            box.program?.text.contains("denied to user \(role.user): mute needs the group \"games\"") == !role
                .mayChange)
    }

    @Test("A stranger sees every sound, also those in the folder that is closed to them")
    func sounds() async throws {
        let box = try LabBox("[adhan.asr]\nsound = \"madinah\"\n")
        let folder = box.state.appending(path: "sounds/madinah")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: LabBox.audio.appending(path: "signal.mp3"), to: folder.appending(path: "asr.mp3"))
        try await box.start()
        for (path, mode) in [(box.state.path, 0o750), (box.directory.path, 0o755)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let program = box.directory.appending(path: "adhanctl").path
        try BuiltProgram.copy(BuiltProgram.path("adhanctl", beside: Program.path), to: program)
        // Few shipped sounds, as those are decoded to be measured.
        let shipped = box.directory.appending(path: "shipped")
        try FileManager.default.createDirectory(at: shipped, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: LabBox.audio.appending(path: "signal.mp3"), to: shipped.appending(path: "signal.mp3"))
        let list = try Program(
            [
                "/bin/sh", "-c", "exec \"$0\" --socket \"$1\" sound list --audio-dir \"$2\" >&2", program,
                box.socket,
                shipped.path,
            ],
            in: box.directory, environment: [:],
            launcher: ("/usr/bin/setpriv", Self.identity(64_104, 64_104, [])))
        #expect(try await list.exitStatus(within: 60) == 0, "\(list.text)")
        #expect(list.text.contains("madinah (added), used by adhan.asr.sound"), "\(list.text)")
        #expect(list.text.contains("not measured") && list.text.contains("signal (shipped)"), "\(list.text)")
    }

    /// The options that setpriv(1) needs to become somebody.
    private static func identity(_ user: UInt32, _ group: UInt32, _ others: [UInt32]) -> [String] {
        let groups =
            others.isEmpty
            ? ["--clear-groups"] : ["--groups", others.map(String.init).joined(separator: ",")]
        return ["--reuid", String(user), "--regid", String(group)] + groups
    }

    /// The program where the daemon's user can reach it, and the box's directory as that user's own.
    private static func copy(in box: LabBox) throws -> String {
        let program = box.directory.appending(path: "adhand").path
        try BuiltProgram.copy(Program.path, to: program)
        let owner: [FileAttributeKey: Any] = [
            .ownerAccountID: Int(daemon), .groupOwnerAccountID: Int(daemon),
        ]
        for file in try FileManager.default.contentsOfDirectory(atPath: box.directory.path) + [""] {
            try FileManager.default.setAttributes(owner, ofItemAtPath: box.directory.path + "/" + file)
        }
        return program
    }
}
