import Foundation
import LabSupport
import PrayerEngine
import Testing

/// Kills a program, or lets its disk be full, at a change of a file (Tests/Lab/end_at_write.c).
enum FullDisk {
    static let library: Result<String, any Error> = Result {
        let path = NSTemporaryDirectory() + "end_at_write-\(getpid()).so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "gcc", "-shared", "-fPIC", "-O2", "-Wall",
            Person.checkout.appending(path: "Tests/Lab/end_at_write.c").path, "-o",
            path,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return path
    }
}

/// The program killed, or its disk full, at every change of a file.
struct FaultTests {
    /// The writes to try: each one with the released program, otherwise one in three.
    private static let writes = stride(from: 1, through: 200, by: BuiltProgram.isReleased ? 1 : 3)

    /// Date, prayer and status of what was marked.
    private func entries(_ person: Person) throws -> Set<String> {
        let done = try person.run("export")
        #expect(done.status == 0, "\(done)")
        return Set(
            done.output.split(separator: "\n").dropFirst().filter { !$0.contains("reckoned") }.map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).prefix(3).joined(separator: ",")
            })
    }

    @Test("A program that is killed at any write loses nothing that it confirmed", arguments: [false, true])
    func killedAtAnyWriteNothingIsLost(isFirst: Bool) throws {
        let library = try FullDisk.library.get()
        var reached = 0
        for number in Self.writes {
            let person = try Person()
            let (old, new) = ("\(person.date(5)),fajr,late", "\(person.date(4)),asr,prayed")
            if !isFirst { #expect(try person.run("prayed fajr --late --date \(person.date(5))").status == 0) }
            let done = try person.run(
                "prayed asr --date \(person.date(4))", ["LD_PRELOAD": library, "KILL_AT_WRITE": "\(number)"])
            let found = try entries(person)
            if !isFirst { #expect(found.contains(old), "at write \(number)") }
            #expect(found.subtracting([old, new]).isEmpty)
            // The answered question is there.
            if !done.output.isEmpty { #expect(found.contains(new), "at write \(number)") }
            guard done.status != 0 else {
                #expect(found.contains(new))
                break
            }
            #expect(done.status == -SIGKILL)
            reached = number
            // And the next entry is taken as ever.
            #expect(try person.run("prayed asr --date \(person.date(4))").status == 0)
            #expect(try entries(person).contains(new))
        }
        #expect(reached >= 3, "only \(reached) writes were met")
    }

    /// A change that replaces marks, and its undo, killed anywhere: the log is what it was or what it was to become, and from either
    /// of them undo leads back.
    @Test(
        "A change that is cut off anywhere is made as a whole or not at all, and can be undone",
        arguments: [["prayed", "asr", "--excused"], ["undo"]])
    func killedAnywhereAChangeIsWholeAndCanBeUndone(command: [String]) throws {
        let library = try FullDisk.library.get()
        var reached = 0
        for number in Self.writes {
            let person = try Person()
            let day = person.date(4)
            let (prayed, late, excused) = ("\(day),asr,prayed", "\(day),asr,late", "\(day),asr,excused")
            #expect(try person.run("prayed asr --date \(day)").status == 0)
            #expect(try person.run("prayed asr --date \(day) --late").status == 0)
            let words = command == ["undo"] ? command : command + ["--date", day]
            let done = try person.run(words, ["LD_PRELOAD": library, "KILL_AT_WRITE": "\(number)"])
            let found = try entries(person)
            let become = command == ["undo"] ? prayed : excused
            #expect(found == [late] || found == [become], "at write \(number): \(found)")
            if !done.output.isEmpty { #expect(found == [become], "what was answered is there") }
            var expected = found == [excused] ? [late, prayed] : found == [late] ? [prayed] : []
            while let next = expected.first {
                expected.removeFirst()
                #expect(try person.run("undo").status == 0)
                #expect(try entries(person) == [next], "at write \(number)")
            }
            #expect(try person.run("undo").status == 0)
            #expect(try entries(person) == [])
            #expect(try person.run("undo").status == 1, "there is nothing left")
            guard done.status != 0 else { break }
            #expect(done.status == -SIGKILL)
            reached = number
        }
        #expect(reached >= 3, "only \(reached) writes were met")
    }

    @Test("A full disk is reported, and the log keeps what it has")
    func aFullDiskIsToldAndLosesNothing() throws {
        let library = try FullDisk.library.get()
        var refused = 0
        for number in Self.writes {
            let person = try Person()
            let old = "\(person.date(5)),fajr,late"
            #expect(try person.run("prayed fajr --late --date \(person.date(5))").status == 0)
            let done = try person.run(
                "prayed asr --date \(person.date(4))", ["LD_PRELOAD": library, "FULL_AT_WRITE": "\(number)"])
            let found = try entries(person)
            #expect(found.contains(old))
            if done.status == 0 {
                // From here on everything was written before the disk was full.
                #expect(found.contains("\(person.date(4)),asr,prayed"))
                if refused > 0 { break }
            } else {
                refused += 1
                #expect(done.status == 1)
                #expect(done.error.contains("the disk is full; nothing was changed"), "\(done)")
                #expect(done.error.split(separator: "\n").count == 1)
            }
        }
        #expect(refused > 0)
    }

    /// A person who only looks needs no room on the disk, also for what a killed program has left in the write-ahead log.
    @Test("The log can be read while the disk is full", arguments: [false, true])
    func aFullDiskKeepsNobodyFromLooking(isKilledBefore: Bool) throws {
        let library = try FullDisk.library.get()
        let person = try Person()
        let entry = "\(person.date(5)),fajr,late"
        #expect(try person.run("prayed fajr --late --date \(person.date(5))").status == 0)
        var left = 0
        for number in 1...50 where isKilledBefore && left == 0 {
            _ = try person.run(
                "prayed asr --date \(person.date(4))", ["LD_PRELOAD": library, "KILL_AT_WRITE": "\(number)"])
            let wal = try? FileManager.default.attributesOfItem(atPath: person.log + "-wal")[.size]
            left = wal as? Int ?? 0
        }
        #expect(isKilledBefore == (left > 0))
        let full = ["LD_PRELOAD": library, "FULL_AT_WRITE": "1"]
        for command in ["week", "stats", "streak", "badges", "export", "pending", "next --count 3"] {
            let done = try person.run(command, full)
            #expect(done.status == 0, "\(command): \(done)")
            #expect(done.error.contains("disk is full; this is what it holds"), "\(command): \(done)")
            if command == "export" { #expect(done.output.contains(entry)) }
        }
        let refused = try person.run("prayed fajr --undo --date \(person.date(5))", full)
        #expect(refused.status == 1 && refused.error.contains("nothing was changed"), "\(refused)")
        #expect(try entries(person).contains(entry))
    }

    @Test("A log that another program keeps locked is reported after five seconds")
    func anotherProgramsLockIsToldAfterFiveSeconds() throws {
        let person = try Person()
        #expect(try person.run("prayed asr --date yesterday").status == 0)
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/python3")
        holder.arguments = [
            "-c",
            """
            import sqlite3, sys, time
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            c.execute("BEGIN IMMEDIATE")
            print("held", flush=True)
            time.sleep(60)
            """, person.log,
        ]
        let pipe = Pipe()
        holder.standardOutput = pipe
        try holder.run()
        defer {
            // A program of a test may have SIGTERM blocked.
            kill(holder.processIdentifier, SIGKILL)
            holder.waitUntilExit()
        }
        #expect(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("held"))
        let done = try person.run("prayed isha --date \(person.date(2))")
        #expect(done.status == 1)
        #expect(
            done.error.contains(
                "is in use by another program for more than 5 s; nothing was changed, try again"))
        // Looking is possible meanwhile.
        #expect(try person.run("week").status == 0)
    }
}
