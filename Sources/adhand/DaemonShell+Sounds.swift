internal import Daemon
internal import Dispatch
internal import Host
internal import Protocol
internal import Recording
internal import Settings

/// Callers with the same question about the disk, which is examined once for all who wait.
struct SharedQuestion {
    var waiting: [RequestID] = []
    var isLooking = false
}

extension DaemonShell {
    /// Seconds for the folders, which may be on a dead server.
    nonisolated private static let soundLimitSeconds = 4.0

    func replyWithSounds(_ id: RequestID) {
        soundQuestions.waiting.append(id)
        readSounds()
    }

    private func readSounds() {
        guard !soundQuestions.isLooking, !soundQuestions.waiting.isEmpty else { return }
        soundQuestions.isLooking = true
        let callers = soundQuestions.waiting
        soundQuestions.waiting = []
        let (folders, config) = (library.folders, state.inputs.config)
        files.async { [self] in
            let answer = TimeLimit.run(on: folders.added, seconds: Self.soundLimitSeconds) {
                Self.sounds(in: folders, config)
            }
            let reply =
                answer ?? .refused(.busy(playing: "the file system with the sounds does not answer"))
            enter { daemon in
                for caller in callers { daemon.server?.reply(caller, reply) }
                daemon.soundQuestions.isLooking = false
                daemon.readSounds()
            }
        }
    }

    /// Lists the sounds. Decodes nothing, so that a caller in a loop costs no more than two directory listings.
    nonisolated private static func sounds(in folders: SoundFolders, _ config: Config) -> Reply {
        let uses = SoundUse.all(in: config).map { ($0, folders.find($0.sound, for: $0.prayer)) }
        func all(_ folder: String, _ origin: SoundsDocument.Sound.Origin) -> [SoundsDocument.Sound] {
            ((try? SoundFolders.sounds(in: folder)) ?? []).map { name, files in
                SoundsDocument.Sound(
                    name: name, origin: origin,
                    files: files.map { path, prayer in
                        folders.measurement(of: path).map { kept in
                            let loudness = Loudness(
                                integratedLufs: kept.loudnessLufs, truePeakDb: kept.truePeakDb)
                            return .init(path, for: prayer, measured: kept, gainDb: loudness.gainDb)
                        } ?? .init(path, for: prayer)
                    },
                    usedBy: SoundUse.keys(
                        of: files.flatMap { file in uses.filter { $0.1 == .file(file.path) }.map(\.0) }))
            }
        }
        return .document(
            SoundsReply(sounds: all(folders.added, .added) + all(folders.shipped, .shipped)))
    }
}
