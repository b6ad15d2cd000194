import AdhanCore
import Glibc
import Host
import Recording

/// Every sound there is, added and shipped, with what is known or can be measured of each file.
struct SoundListing {
    let place: SoundPlace

    /// - Returns: what can be seen, and why that is not all.
    func document() -> (sounds: SoundsDocument, refusal: CommandError?) {
        if case .failure(let refusal) = place.configuration {
            StandardError.say("adhanctl: \(refusal.message); what uses the sounds is therefore not shown")
        }
        let (added, refusal) = sounds(.added)
        let (shipped, other) = sounds(.shipped)
        return (SoundsDocument(sounds: added + shipped), refusal ?? other)
    }

    private func sounds(
        _ origin: SoundsDocument.Sound.Origin
    ) -> (sounds: [SoundsDocument.Sound], refusal: CommandError?) {
        let directory = origin == .added ? place.folders.added : place.folders.shipped
        let entries: [String]
        do throws(FileError) {
            entries = try Directories.names(in: directory)
        } catch  where error.isMissing {
            return ([], nil)
        } catch {
            return ([], CommandError(sounds: error))
        }
        var names: [String] = []
        for entry in entries where !entry.hasPrefix(".") {
            let isFile = entry.hasSuffix(".mp3")
            let name = isFile ? String(entry.dropLast(4)) : entry
            guard isFile || Directories.isDirectory("\(directory)/\(entry)"), !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        return (names.compactMap { sound($0, in: directory, origin) }, nil)
    }

    private func sound(
        _ name: String, in directory: String, _ origin: SoundsDocument.Sound.Origin
    ) -> SoundsDocument.Sound? {
        let files = Self.files(of: name, in: directory)
        guard !files.isEmpty else { return nil }
        let uses = files.flatMap { place.users(of: $0.path) }
        return SoundsDocument.Sound(
            name: name, origin: origin, files: files.map { describe($0.path, for: $0.prayer) },
            usedBy: SoundUse.keys(of: uses))
    }

    /// The files of a sound that a configuration can reach, in the order of the day, the general ones last.
    static func files(of name: String, in directory: String) -> [(path: String, prayer: Prayer?)] {
        let own: [(String, Prayer?)] = Prayer.allCases.map { ("\(directory)/\(name)/\($0.rawValue).mp3", $0) }
        let general: [(String, Prayer?)] = [
            ("\(directory)/\(name)/adhan.mp3", nil), ("\(directory)/\(name).mp3", nil),
        ]
        return (own + general).filter { SoundFolders.stamp(of: $0.0) != nil }
    }

    private func describe(_ path: String, for prayer: Prayer?) -> SoundsDocument.File {
        if let kept = place.folders.measurement(of: path) {
            return .init(path, for: prayer, measured: kept, gainDb: Loudness(kept).gainDb)
        }
        do throws(SoundWorker.Refusal) {
            let (info, loudness) = try measured(path)
            let measured = SoundMeasurement(
                stamp: .init(size: 0, modified: 0), rate: info.rate, channels: info.channels,
                frames: info.frames, loudnessLufs: loudness.integrated,
                truePeakDb: max(loudness.truePeak, VolumeScale.silence))
            // The shipped sounds are where every recording is brought.
            let gain = place.folders.isShipped(path) ? 0 : Loudness(measured).gainDb
            return .init(path, for: prayer, measured: measured, gainDb: gain)
        } catch {
            return .init(path, for: prayer, problem: error.text)
        }
    }

    private var owner: StateDirectory.Owner? {
        var status = stat()
        guard unsafe stat(place.stateDirectory, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid)
    }

    /// Root may list what others put there: it is decoded with the rights of the user whose sounds these are.
    private func measured(_ path: String) throws(SoundWorker.Refusal) -> (info: SoundInfo, loudness: Loudness)
    {
        func refusal(_ code: Int32) -> SoundWorker.Refusal {
            .init(kind: .other, text: FileError("read", path, code: code).message)
        }
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard raw >= 0 else { throw refusal(errno) }
        let file = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else { throw refusal(errno) }
        let link = "/proc/self/fd/\(ChildProcess.firstDescriptor)"
        do throws(SoundWorker.Refusal) {
            return try SoundWorker.measure(file.raw, as: owner ?? (status.st_uid, status.st_gid))
        } catch {
            throw .init(kind: error.kind, text: PlainText.visible(error.text.replacing(link, with: path)))
        }
    }
}
