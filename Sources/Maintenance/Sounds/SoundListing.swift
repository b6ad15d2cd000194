import CommandKit
package import ControlClient
import Glibc
import Host
package import Protocol
import Recording
import Settings
import Texts

/// Every sound, added and shipped, with the known or measured facts of each file.
package struct SoundListing {
    let place: SoundPlace

    let daemon: ControlClient

    package init(
        place: SoundPlace, daemon: ControlClient
    ) {
        self.place = place
        self.daemon = daemon
    }

    /// Seconds to wait for an answer that only lists a folder.
    private static let patienceSeconds = 5.0

    /// - Returns: the sounds that can be listed, and why others are missing.
    package func document() -> (sounds: SoundsDocument, refusal: CommandError?) {
        if case .failure(let refusal) = place.configuration {
            StandardError.write("adhanctl: \(refusal.message); what uses the sounds is therefore not shown")
        }
        let (added, refusal) = sounds(.added)
        let (shipped, other) = sounds(.shipped)
        // Most users may not read the folder of added sounds, but their names are no secret.
        guard let refusal, refusal.status == .notPermitted, let daemonSounds = reported() else {
            return (SoundsDocument(sounds: added + shipped), refusal ?? other)
        }
        let users = daemonSounds.filter { $0.origin == .shipped }
        let known = shipped.map { sound in
            SoundsDocument.Sound(
                name: sound.name, origin: .shipped, files: sound.files,
                usedBy: users.first { $0.name == sound.name }?.usedBy ?? sound.usedBy)
        }
        return (SoundsDocument(sounds: daemonSounds.filter { $0.origin == .added } + known), other)
    }

    /// The sounds that the daemon reports for this folder; an older daemon does not report them.
    private func reported() -> [SoundsDocument.Sound]? {
        guard place.status?.stateDirectory == place.stateDirectory else { return nil }
        return try? daemon.ask(.getSounds, patienceSeconds: Self.patienceSeconds)
            .sounds
    }

    private func sounds(
        _ origin: SoundsDocument.Sound.Origin
    ) -> (sounds: [SoundsDocument.Sound], refusal: CommandError?) {
        do throws(FileError) {
            let found = try SoundFolders.sounds(
                in: origin == .added ? place.folders.added : place.folders.shipped)
            return (found.map { sound($0.name, $0.files, origin) }, nil)
        } catch {
            return ([], CommandError(error))
        }
    }

    private func sound(
        _ name: String, _ files: [(path: String, prayer: Prayer?)], _ origin: SoundsDocument.Sound.Origin
    ) -> SoundsDocument.Sound {
        SoundsDocument.Sound(
            name: name, origin: origin, files: files.map { describe($0.path, for: $0.prayer) },
            usedBy: SoundUse.keys(of: files.flatMap { place.users(of: $0.path) }))
    }

    private func describe(_ path: String, for prayer: Prayer?) -> SoundsDocument.File {
        if let kept = place.folders.measurement(of: path) {
            return .init(path, for: prayer, measured: kept, gainDb: Loudness(kept).gainDb)
        }
        do throws(SoundWorker.Refusal) {
            let (info, loudness) = try measured(path)
            let measured = SoundMeasurement(
                stamp: .init(size: 0, modified: 0), rate: info.rateHz, channels: info.channels,
                frames: info.frames, loudnessLufs: loudness.integratedLufs,
                truePeakDb: max(loudness.truePeakDb, VolumeScale.silenceDb))
            // Recordings are adjusted to the loudness of the shipped sounds, so these need no gain.
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

    /// Measures a file. Root may list other users' files, so decode them with the rights of the sounds' owner.
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
