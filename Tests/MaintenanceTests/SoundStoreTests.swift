import CommandKit
import Foundation
import Host
import LabSupport
import Protocol
import Testing
import Texts

@testable import Maintenance

@Suite("Added sounds on disk")
struct SoundStoreTests {
    private static let measured = SoundMeasurement(
        stamp: .init(size: 3, modified: 1_800_000_000), rate: 44_100, channels: 2, frames: 44_100,
        loudnessLufs: -16, truePeakDb: -1)

    private static func add(
        _ bytes: [UInt8], _ place: SoundFilePlace, to store: borrowing SoundStore,
        unless taken: CommandError? = nil
    ) throws {
        let draft = try store.draft()
        try draft.write(bytes)
        try store.keep(draft, as: place, measured) { taken }
    }

    @Test("A recording comes with its measurement; removed prayer by prayer, its folder goes with the last")
    func addAndRemove() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        try Self.add([1], SoundFilePlace("madinah", for: nil), to: store)
        try Self.add([2], SoundFilePlace("madinah", for: .fajr), to: store)
        #expect(
            try scratch.names("sounds/madinah") == [
                "adhan.mp3", "adhan.mp3.json", "fajr.mp3", "fajr.mp3.json",
            ])
        let holds = store.holds("madinah/fajr.mp3")
        #expect(holds && scratch.read("sounds/madinah/fajr.mp3") == [2])
        try store.remove(["madinah/fajr.mp3"])
        #expect(try scratch.names("sounds/madinah") == ["adhan.mp3", "adhan.mp3.json"])
        try store.remove(["madinah/adhan.mp3"])
        #expect(try scratch.names("sounds") == [])
        let error = refusal { try store.remove(["madinah/deep/adhan.mp3"]) }
        #expect(error?.message.contains("lies too deep") == true)
    }

    @Test("A name that is taken keeps its recording, and nothing of the other one is left")
    func taken() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        let place = SoundFilePlace("madinah", for: nil)
        try Self.add([1], place, to: store)
        let measurement = scratch.read("sounds/madinah/adhan.mp3.json")
        let taken = CommandError(.failed, "there is one of that name")
        let error = refusal { try Self.add([2], place, to: store, unless: taken) }
        #expect(error?.message == taken.message)
        #expect(try scratch.names("sounds") == ["madinah"])
        #expect(scratch.read("sounds/madinah/adhan.mp3") == [1])
        #expect(scratch.read("sounds/madinah/adhan.mp3.json") == measurement)
        try Self.add([2], place, to: store)
        #expect(scratch.read("sounds/madinah/adhan.mp3") == [2])
    }

    @Test("A recording that cannot be put in its place leaves neither itself nor a measurement")
    func failedMove() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        try scratch.makeFolder("sounds/madinah/adhan.mp3")
        let error = refusal { try Self.add([1], SoundFilePlace("madinah", for: nil), to: store) }
        #expect(error?.status == .failed)
        #expect(try scratch.names("sounds") == ["madinah"])
        #expect(try scratch.names("sounds/madinah") == ["adhan.mp3"])
    }

    @Test("A recording that cannot be replaced keeps its measurement")
    func failedReplacement() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        // A directory of that name cannot be replaced by a file.
        try scratch.makeFolder("sounds/madinah/adhan.mp3")
        try scratch.write("sounds/madinah/adhan.mp3.json", [5])
        let error = refusal { try Self.add([1], SoundFilePlace("madinah", for: nil), to: store) }
        #expect(error?.status == .failed)
        #expect(scratch.read("sounds/madinah/adhan.mp3.json") == [5])
        #expect(try scratch.names("sounds") == ["madinah"])
        // The next one succeeds, and nothing of the earlier measurement is left.
        try scratch.makeFolder("sounds/makkah")
        try scratch.write("sounds/makkah/adhan.mp3.json", [5])
        try Self.add([1], SoundFilePlace("makkah", for: nil), to: store)
        #expect(try scratch.names("sounds") == ["madinah", "makkah"])
        #expect(scratch.read("sounds/makkah/adhan.mp3.json") != [5])
    }

    @Test("A link in the place of a sound's folder is not followed")
    func link() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        try scratch.write("elsewhere/adhan.mp3", [9])
        try scratch.link("sounds/madinah", to: scratch.file("elsewhere"))
        let added = refusal { try Self.add([1], SoundFilePlace("madinah", for: nil), to: store) }
        #expect(added?.message.contains("it is not a directory of its own") == true)
        let removed = refusal { try store.remove(["madinah/adhan.mp3"]) }
        #expect(removed?.message.contains("it is not a directory of its own") == true)
        #expect(scratch.read("elsewhere/adhan.mp3") == [9])
        #expect(try scratch.names("elsewhere") == ["adhan.mp3"])
        #expect(try scratch.names("sounds") == ["madinah"])
    }

    @Test("What a killed command left is removed, and what another one still writes is not")
    func leftovers() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try SoundStore.open(in: scratch.place)
        try scratch.write("sounds/.adding-1-2", [1, 2, 3])
        let other = try SoundStore.open(in: scratch.place)
        let held = try other.draft()
        try held.write([7])
        #expect(scratch.read("sounds/.adding-1-2") == nil)
        try Self.add([1], SoundFilePlace("madinah", for: nil), to: store)
        let name = held.name
        #expect(scratch.read("sounds/\(name)") == [7])
        try other.keep(held, as: SoundFilePlace("makkah", for: nil), Self.measured) { nil }
        #expect(try scratch.names("sounds") == ["madinah", "makkah"])
    }
}
