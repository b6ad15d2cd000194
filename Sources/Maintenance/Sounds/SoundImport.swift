import CommandKit
import Glibc
package import Host
package import Protocol
import Recording
import Texts

/// Turns a person's file into a sound of adhand: identified by content, converted if necessary, decoded once to its
/// end, measured, and put in its place as a whole.
package struct SoundImport {
    let source: String
    let place: SoundFilePlace
    /// Whether an existing sound of this name may be replaced.
    let replace: Bool
    /// Whether to add a recording that is not suitable for a call.
    let force: Bool
    let folders: SoundFolders
    /// The file's name in messages, if its path means nothing to people.
    var shown: String?

    package init(
        source: String, place: SoundFilePlace, replace: Bool, force: Bool, folders: SoundFolders,
        shown: String? = nil
    ) {
        self.source = source
        self.place = place
        self.replace = replace
        self.force = force
        self.folders = folders
        self.shown = shown
    }

    /// Seconds above which a recording is too long for an adhan, but may still be intended.
    private static let longestSeconds = 600.0
    /// The absolute gate of BS.1770-4, in LUFS.
    private static let gate = -70.0
    /// The gain in decibels above which mostly noise is amplified.
    private static let mostGainDb = 20.0

    package func run(in store: borrowing SoundStore) throws(CommandError) -> AddedSoundDocument {
        if let conflict = nameConflict(in: store) { throw conflict }
        let file = try open()
        // Decode the owner's copy, because only this process may be allowed to read the original.
        let copy = try draft(of: file.raw, in: store)
        let kind = try foreignKind(of: copy, as: store.owner)
        guard let kind else { return try finish(copy, notes: [], in: store) }
        guard !FileKind.isSoundless(kind) else { throw unusable("this is \(kind), not a sound") }
        guard let converter = Converter(in: .process) else {
            throw unusable(
                "this is \(kind); install ffmpeg to have it converted: \"sudo apt install ffmpeg\"")
        }
        let converted = try draft(of: nil, in: store)
        let notes = try converter.convert(
            copy.raw, shown ?? source, kind, into: converted, as: store.owner)
        return try finish(converted, notes: notes, in: store)
    }

    /// Measures the copy or the conversion, and moves it to its place.
    private func finish(
        _ draft: borrowing SoundDraft, notes: [String], in store: borrowing SoundStore
    ) throws(CommandError) -> AddedSoundDocument {
        let (info, loudness, odd) = try measure(draft, as: store.owner)
        let measurement = try measurement(of: draft, info, loudness)
        try store.keep(draft, as: place, measurement, unless: { nameConflict(in: store) })
        return AddedSoundDocument(
            name: place.name, file: "\(store.path)/\(place.name)/\(place.file)", measured: measurement,
            gainDb: Loudness(measurement).gainDb, warnings: notes + odd)
    }

    /// A copy of the file, or an empty draft to be filled.
    private func draft(
        of file: Int32?, in store: borrowing SoundStore
    ) throws(CommandError) -> SoundDraft {
        do throws(FileError) {
            let draft = try store.draft()
            if let file { try draft.copy(from: file, source) }
            return draft
        } catch {
            throw nothingAdded(error)
        }
    }

    private func measurement(
        of draft: borrowing SoundDraft, _ info: SoundInfo, _ loudness: Loudness
    ) throws(CommandError) -> SoundMeasurement {
        do throws(FileError) {
            // After this, neither size nor time changes any more.
            try draft.sync()
            return SoundMeasurement(
                stamp: try draft.stamp(), rate: info.rateHz, channels: info.channels, frames: info.frames,
                loudnessLufs: loudness.integratedLufs, truePeakDb: loudness.truePeakDb,
                audibleShare: info.audibleShare, accepted: info.objection?.code)
        } catch {
            throw nothingAdded(error)
        }
    }

    /// Why the name cannot be used; nil if it can.
    private func nameConflict(in store: borrowing SoundStore) -> CommandError? {
        guard !replace else { return nil }
        let isGeneral = place.file == SoundFilePlace("", for: nil).file
        let own = "\(place.name)/\(place.file)"
        let added = (isGeneral ? [own, "\(place.name).mp3"] : [own]).first { store.holds($0) }
        let shipped = (isGeneral ? [place.name, "\(place.name).mp3"] : [own])
            .map { name in "\(folders.shipped)/\(name)" }.first(where: Environment.process.exists)
        guard let existing = added.map({ "\(store.path)/\($0)" }) ?? shipped else { return nil }
        return CommandError(
            .failed,
            "there is a sound \"\(place.name)\" already (\"\(existing)\"); choose another --name, or give --replace "
                + "to have this one instead")
    }

    private func open() throws(CommandError) -> OwnedDescriptor {
        guard !source.utf8.contains(0) else {
            throw CommandError(.usage, "cannot read the file: its path contains a NUL character")
        }
        // O_NONBLOCK: refuse a pipe without a writer instead of waiting for one.
        let raw = unsafe Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard raw >= 0 else { throw CommandError(.failed, FileError("read", source, code: errno).message) }
        let file = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else {
            throw CommandError(.failed, FileError("read", source, code: errno).message)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size == 0: throw unusable("it is empty")
        case S_IFREG where Int(status.st_size) > RecordingLimits.largestFileBytes:
            let (megabytes, most) = (Int(status.st_size) >> 20, RecordingLimits.largestFileBytes >> 20)
            throw unusable("it has \(megabytes) MB; a recording has at most \(most)")
        case S_IFREG: return file
        case S_IFDIR: throw unusable("it is a directory; add its files one by one")
        default: throw unusable("it is not a regular file")
        }
    }

    /// The kind of the file, if it is certainly not MP3.
    private func foreignKind(
        of draft: borrowing SoundDraft, as owner: StateDirectory.Owner
    ) throws(CommandError) -> String? {
        do throws(SoundWorker.Refusal) {
            return try SoundWorker.foreignKind(of: draft.raw, as: owner)
        } catch {
            throw CommandError(
                .failed, PlainText.visible(error.text.replacing(SoundWorker.link, with: shown ?? source)))
        }
    }

    private func measure(
        _ draft: borrowing SoundDraft, as owner: StateDirectory.Owner
    ) throws(CommandError) -> (info: SoundInfo, loudness: Loudness, warnings: [String]) {
        let info: SoundInfo
        let loudness: Loudness
        let link = SoundWorker.link
        do throws(SoundWorker.Refusal) {
            (info, loudness) = try SoundWorker.measure(draft.raw, as: owner)
        } catch {
            throw error.kind == .noAudio
                ? unusable("there is no MP3 audio in it, nor is it another kind of sound that is known")
                : unusable(PlainText.visible(error.text.replacing(link, with: shown ?? source)))
        }
        // The recording never passes the absolute gate of BS.1770; one too short for its blocks has no peak either.
        if loudness.integratedLufs == nil, info.durationSeconds >= 0.4 || loudness.truePeakDb < Self.gate {
            throw unusable("it is silent from beginning to end")
        }
        var warnings = info.warnings.map { $0.replacing(link, with: shown ?? source) }
        if let objection = info.objection {
            guard force else {
                throw unusable("\(objection); if you mean it, use \"adhanctl sound add --force\"")
            }
            warnings.append("\(objection); it was added because you insisted")
        }
        if let caution = info.verdict.caution {
            warnings.append("\(caution); listen to it before it is called")
        }
        if info.durationSeconds > Self.longestSeconds {
            let minutes = Int((info.durationSeconds / 60).rounded())
            warnings.append("it is \(minutes) min long; an adhan has 2 to 5, so is this the right file?")
        }
        if loudness.gainDb > Self.mostGainDb {
            warnings.append(
                "it is very quiet; raised to the loudness of other sounds, its noise will be heard")
        }
        return (info, loudness, warnings)
    }

    private func unusable(_ reason: String) -> CommandError {
        CommandError(.invalidInput, "cannot add \"\(shown ?? source)\": \(reason)")
    }

    private func nothingAdded(_ error: FileError) -> CommandError {
        let refusal = CommandError(error)
        guard refusal.status == .failed else { return refusal }
        return CommandError(.failed, "\(error.message); nothing was added")
    }
}

extension Loudness {
    init(_ measurement: SoundMeasurement) {
        self.init(integratedLufs: measurement.loudnessLufs, truePeakDb: measurement.truePeakDb)
    }
}
