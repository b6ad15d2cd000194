import Foundation
import LabSupport
import Protocol
import Testing

@Suite("Adding a sound when something goes wrong", .serialized) struct SoundFaultTests {
    private static let mono = SoundRoom.fixture("cbr64_44k_mono.mp3")
    private static let ogg = SoundRoom.fixture("ogg_renamed.mp3")

    @Test("What ffmpeg makes of another sound is measured and kept, and said")
    func converted() throws {
        let room = try SoundRoom()
        try room.install(
            ffmpeg: "echo \"$@\" > \(room.path)/asked\ncmp -s $in \(Self.ogg) && cat \(Self.mono) > $out")
        let sound = try room.add("ogg_renamed.mp3", "--name", "tone")
        #expect(sound.frames == 66150)
        #expect(sound.warnings == ["it was an Ogg Vorbis file, and ffmpeg converted it to MP3"])
        #expect(room.files == ["tone", "tone/adhan.mp3", "tone/adhan.mp3.json"])
        let asked = try String(contentsOfFile: room.path + "/asked", encoding: .utf8)
        #expect(asked.contains("-nostdin") && asked.contains("-protocol_whitelist file "))
        #expect(!asked.contains(Self.ogg))
    }

    @Test("When ffmpeg fails its first sentence is passed on")
    func conversionFails() throws {
        let room = try SoundRoom()
        try room.install(ffmpeg: "echo 'file:/proc/self/fd/3: Invalid data' >&2; echo more >&2; exit 1")
        let outcome = try room.run("add", Self.ogg)
        #expect(outcome.status == 65)
        #expect(
            outcome.error
                == "adhanctl: cannot add \"\(Self.ogg)\": this is an Ogg Vorbis file, and ffmpeg found "
                + "no sound in it that it could convert: Invalid data\n")
        try room.install(ffmpeg: "echo \"Stream map '0:a:0' matches no streams.\" >&2; exit 1")
        let soundless = try room.run("add", Self.ogg)
        #expect(soundless.status == 65)
        #expect(soundless.error.contains("found no sound in it that it could convert: Stream map"))
        try room.install(ffmpeg: "echo 'no MP3 at all' > $out")
        #expect(try room.run("add", Self.ogg).status == 65)
        try room.install(ffmpeg: "kill -SEGV $$")
        let killed = try room.run("add", Self.ogg)
        #expect(killed.status == 1 && killed.error.contains("was ended by signal 11"))
        #expect(room.files.isEmpty)
    }

    @Test(
        "ffmpeg says that all went well although the disk was full: it is not believed, whatever it writes",
        .enabled(if: geteuid() == 0), arguments: ["Error writing trailer: No space left on device", "x", ""])
    func convertedOntoFullDisk(words: String) throws {
        let room = try SoundRoom()
        func mount(_ words: String...) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = words
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
        try mount("mount", "-t", "tmpfs", "-o", "size=256k", "none", room.state)
        defer { try? mount("umount", "--lazy", room.state) }
        try room.install(ffmpeg: "cat /dev/zero > $out 2> /dev/null\necho '\(words)' >&2\nexit 0")
        let outcome = try room.run("add", Self.ogg)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("\": No space left on device; nothing was added\n"))
        #expect(room.files.isEmpty)
        // With room on the disk a complaint of the same words is a remark.
        try room.install(ffmpeg: "cat \(Self.mono) > $out\necho '\(words)' >&2\nexit 0")
        #expect(try room.add("ogg_renamed.mp3", "--name", "tone").frames == 66150)
    }

    @Test(
        "Ctrl-C in the middle ends ffmpeg as well and leaves nothing behind",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
        let room = try SoundRoom()
        try room.install(ffmpeg: "sleep 300 & echo $! > \(room.path)/child\nwait")
        let (process, error) = try room.start("add", Self.ogg, "--name", "x")
        let child = try waitForChild(of: room)
        // The copy to convert, and its result.
        #expect(room.files.count == 2)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try error.text() == "adhanctl: interrupted; nothing was added\n")
        #expect(room.files.isEmpty)
        #expect(soon { !Self.isAlive(child) })
    }

    @Test(
        "What a run that was killed left behind, the next one removes; what another is writing it does not touch"
    )
    func stale() throws {
        let room = try SoundRoom()
        try room.install(ffmpeg: "sleep 300 & echo $! > \(room.path)/child\nwait")
        let (process, _) = try room.start("add", Self.ogg, "--name", "x")
        let child = try waitForChild(of: room)
        let left = try #require(room.files.first)
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "a")
        #expect(room.files.contains(left))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // ffmpeg still writes there: it has not ended by itself yet.
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "b")
        #expect(room.files.contains(left))
        kill(child, SIGKILL)
        #expect(soon { !Self.isAlive(child) })
        #expect(
            try soon {
                _ = try room.add("cbr64_44k_mono.mp3", "--name", "b", "--replace")
                return !room.files.contains(left)
            })
        #expect(room.files.count { $0.hasSuffix(".mp3") } == 2)
    }

    @Test("A disk without room for it leaves nothing behind", arguments: [false, true])
    func full(replacing: Bool) throws {
        let room = try SoundRoom()
        if replacing { _ = try room.add("short_half_second.mp3", "--name", "x") }
        let before = room.files
        let old = try? Data(contentsOf: URL(filePath: room.sounds + "/x/adhan.mp3"))
        // Files of 4 KiB at most: the limit is met in the middle of the copy.
        let limit = ["/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"]
        let (process, error) = try room.start("add", Self.mono, "--name", "x", "--replace", launcher: limit)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        #expect(try error.text().hasSuffix(": File too large; nothing was added\n"))
        #expect(room.files == before)
        #expect((try? Data(contentsOf: URL(filePath: room.sounds + "/x/adhan.mp3"))) == old)
    }

    @Test("Of two who add the same name at once, one learns that it is taken")
    func race() throws {
        for _ in 0..<5 {
            let room = try SoundRoom()
            let runs = try (0..<4).map { _ in try room.start("add", Self.mono, "--name", "x") }
            for (process, _) in runs { process.waitUntilExit() }
            let statuses = runs.map(\.process.terminationStatus).sorted()
            #expect(statuses == [0, 1, 1, 1])
            for (process, error) in runs where process.terminationStatus == 1 {
                #expect(try error.text().contains("there is a sound \"x\" already"))
            }
            #expect(room.files == ["x", "x/adhan.mp3", "x/adhan.mp3.json"])
        }
    }

    @Test("Without permission nothing happens, and the sentence has the command to use")
    func permission() throws {
        let room = try SoundRoom()
        #expect(unsafe chmod(room.state, 0o555) == 0)
        defer { _ = unsafe chmod(room.state, 0o755) }
        // Root may do anything: it becomes nobody for this, who may not even read the checkout.
        let launcher =
            geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let (binary, file) = (room.path + "/adhanctl", room.path + "/adhan.mp3")
        try BuiltProgram.copy(Adhanctl.path, to: binary)
        try FileManager.default.copyItem(atPath: Self.mono, toPath: file)
        let (process, error) = try room.start(
            "add", file, "--name", "x", launcher: launcher, binary: binary)
        process.waitUntilExit()
        #expect(process.terminationStatus == 77)
        let sentence = try error.text()
        #expect(
            sentence.hasPrefix(
                "adhanctl: cannot create \"\(room.sounds)\": Permission denied; run \"sudo adhanctl --socket "
            ))
        #expect(sentence.contains(" sound add \(file) --name x "))
    }

    @Test("What root adds belongs to whoever the directory belongs to", .enabled(if: geteuid() == 0))
    func owner() throws {
        let room = try SoundRoom()
        #expect(unsafe chown(room.state, 12345, 23456) == 0)
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "x")
        for file in ["", "/x", "/x/adhan.mp3", "/x/adhan.mp3.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: room.sounds + file)
            #expect(attributes[.ownerAccountID] as? Int == 12345)
            #expect(attributes[.groupOwnerAccountID] as? Int == 23456)
        }
    }

    @Test("A link in the directory leads nobody out of it")
    func links() throws {
        let manager = FileManager.default
        let room = try SoundRoom()
        let elsewhere = room.path + "/elsewhere"
        try manager.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try manager.createDirectory(atPath: room.sounds, withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: room.sounds + "/x", withDestinationPath: elsewhere)
        let outcome = try room.run("add", Self.mono, "--name", "x")
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("it is not a directory of its own, but a link or a file"))
        // A link in the place of the file itself is replaced, not followed.
        try manager.createDirectory(atPath: room.sounds + "/y", withIntermediateDirectories: true)
        try "keep me".write(toFile: elsewhere + "/precious", atomically: true, encoding: .utf8)
        try manager.createSymbolicLink(
            atPath: room.sounds + "/y/adhan.mp3", withDestinationPath: elsewhere + "/precious")
        _ = try room.add("cbr64_44k_mono.mp3", "--name", "y", "--replace")
        #expect(try String(contentsOfFile: elsewhere + "/precious", encoding: .utf8) == "keep me")
        #expect(try manager.contentsOfDirectory(atPath: elsewhere) == ["precious"])
        #expect(!room.files.contains { $0.hasPrefix(".adding") })
        try manager.removeItem(atPath: room.sounds)
        try manager.createSymbolicLink(atPath: room.sounds, withDestinationPath: elsewhere)
        #expect(try room.run("add", Self.mono, "--name", "z").status == 1)
        #expect(try manager.contentsOfDirectory(atPath: elsewhere) == ["precious"])
    }

    private func waitForChild(of room: SoundRoom) throws -> Int32 {
        let file = room.path + "/child"
        var child: Int32?
        _ = soon {
            child = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
                Int32($0.filter(\.isNumber))
            }
            return child != nil
        }
        return try #require(child)
    }

    /// A zombie counts as dead.
    private static func isAlive(_ process: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z ") } ?? false
    }
}
