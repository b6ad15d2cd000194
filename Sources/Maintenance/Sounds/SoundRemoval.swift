import CommandKit
import Glibc
import Host
package import Protocol
import Settings
package import Texts

/// Removes an added sound, unless it is in use.
package struct SoundRemoval {
    let name: String
    /// The prayer whose own recording is removed; nil: the whole sound.
    let prayer: Prayer?
    let place: SoundPlace

    package init(
        name: String, prayer: Prayer?, place: SoundPlace
    ) {
        self.name = name
        self.prayer = prayer
        self.place = place
    }

    /// Seconds within which a stopped sound fades out.
    private static let fadePatienceSeconds = 5.0

    package func run() throws(CommandError) -> RemovedSoundDocument {
        guard case .named = SoundName(name) else {
            throw CommandError(
                .usage, "\"\(name)\" is not the name of a sound; \"adhanctl sound list\" shows them")
        }
        let files = try findFiles()
        try refuseWhileInUse(files)
        try refuseWhilePlaying(files)
        let store = try SoundStore.open(in: place.state)
        try store.remove(files.map { String($0.dropFirst(store.path.utf8.count + 1)) })
        return RemovedSoundDocument(name: name, files: files)
    }

    private func findFiles() throws(CommandError) -> [String] {
        let added = SoundFolders.files(of: name, in: place.folders.added)
        let wanted = added.filter { prayer == nil || $0.prayer == prayer }.map(\.path)
        guard wanted.isEmpty else { return wanted }
        guard unsafe access(place.folders.added, R_OK | X_OK) == 0 || errno == ENOENT else {
            throw CommandError(FileError("read", place.folders.added, code: errno))
        }
        let whom = prayer.map { " for \($0.title)" } ?? ""
        if SoundFolders.files(of: name, in: place.folders.shipped).contains(where: {
            prayer == nil || $0.prayer == prayer
        }) {
            throw CommandError(.failed, "\"\(name)\"\(whom) is shipped with adhand and cannot be removed")
        }
        throw CommandError(
            .failed, "there is no added sound \"\(name)\"\(whom); \"adhanctl sound list\" shows what there is"
        )
    }

    private func refuseWhileInUse(_ files: [String]) throws(CommandError) {
        let configuration = try place.configuration.get()
        let keys = SoundUse.keys(of: files.flatMap { place.users(of: $0) })
        guard !keys.isEmpty else { return }
        // A setting made by command must be changed by command, a file in an editor.
        let set = keys.filter(configuration.isSetByCommand)
        let written = keys.filter { !set.contains($0) }
        var sentences: [String] = []
        if !written.isEmpty {
            sentences.append(
                "\(written.joined(separator: ", ")) in \"\(configuration.source)\" "
                    + "\(written.count == 1 ? "uses" : "use") it; name another sound there first, then run "
                    + "\"adhanctl reload\"")
        }
        if let first = set.first {
            sentences.append(
                "\(set.joined(separator: ", ")), set by command, \(set.count == 1 ? "uses" : "use") it; "
                    + "choose another sound first: \"adhanctl set \(first) NAME\"")
        }
        throw CommandError(
            .failed, "cannot remove \"\(name)\": \(sentences.joined(separator: ". Also "))")
    }

    private func refuseWhilePlaying(_ files: [String]) throws(CommandError) {
        guard var state = playing(files, place.status) else { return }
        // Wait for a sound that was just stopped to fade out, so that the user need not try again.
        let end = MonotonicClock.now() + Self.fadePatienceSeconds
        while state == .stopping, MonotonicClock.now() < end {
            usleep(50_000)
            guard let next = playing(files, place.statusNow()) else { return }
            state = next
        }
        throw CommandError(
            .failed,
            "cannot remove \"\(name)\": it is being played; wait until it is over, or run \"adhanctl stop\"")
    }

    /// The state of playback if one of these files is playing; `nil` if none is.
    private func playing(_ files: [String], _ status: StatusDocument?) -> StatusDocument.Playback.State? {
        guard let playback = status?.playback, playback.state != .idle,
            let sound = playback.sound
        else { return nil }
        // A call belongs to no prayer, and plays Dhuhr's sound.
        let prayer = playback.prayer.flatMap(Prayer.init) ?? .dhuhr
        let playing = sound.split(separator: ", ").map { place.folders.find(String($0), for: prayer) }
        return files.contains { playing.contains(.file($0)) } ? playback.state : nil
    }
}
