internal import Daemon
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Settings

/// `settings.json`, and the file from before the last change.
struct SettingsStore: Sendable {
    let directory: String
    var path: String { "\(directory)/\(SettingsLayer.fileName)" }
    private var oldPath: String { "\(directory)/\(SettingsLayer.oldFileName)" }

    struct Found: Sendable, Equatable {
        var layer = SettingsLayer()
        var loss: SettingsLoss?
        /// Whether the file is to be set aside.
        var isDamaged = false
    }

    /// Reads without changing anything. A file system that does not answer is no reason to forget settings, nor to wait for it.
    func find() -> Found {
        guard let (current, old) = TimeLimit.run(on: path, seconds: 2, { (read(path), read(oldPath)) }) else {
            return Found(
                loss: SettingsLoss(
                    message:
                        "\"\(path)\" is not read within 2 s: the file system does not answer; what was set by command is not in force"
                ))
        }
        switch (current, old) {
        case (.layer(let layer), _): return Found(layer: layer)
        case (.missing, .missing): return Found()
        case (.missing, .damaged):
            return Found(
                loss: SettingsLoss(
                    message:
                        "\"\(path)\" is gone and \"\(oldPath)\" is damaged; what was set by command is forgotten"
                ))
        case (.missing, .layer(let layer)):
            return Found(
                layer: layer,
                loss: SettingsLoss(
                    message: "\"\(path)\" is gone; the settings of the change before it are in force"))
        case (.damaged, .layer(let layer)):
            return Found(
                layer: layer,
                loss: SettingsLoss(
                    message: "\"\(path)\" is damaged; the settings of the change before it are in force"),
                isDamaged: true)
        case (.damaged, _):
            return Found(
                loss: SettingsLoss(message: "\"\(path)\" is damaged; what was set by command is forgotten"),
                isDamaged: true)
        }
    }

    /// Renames a damaged file, once the state directory is ours.
    func setAside(_ found: inout Found, now: Instant) {
        guard found.isDamaged, let loss = found.loss else { return }
        found.isDamaged = false
        let name = OpenFile.setAside(path, now: now)
        found.loss = SettingsLoss(
            message: loss.message
                + (name.map { "; the damaged file is \"\($0)\"" } ?? "; it could not be set aside"))
    }

    /// Writes the settings, and keeps the previous file as the old one. After a power cut one of them exists, complete.
    func save(_ layer: SettingsLayer) throws(ShellError) {
        let bytes: [UInt8]
        do throws(SettingsRefusal) {
            bytes = try layer.fileBytes()
        } catch {
            throw .file(FileError("write", path, reason: "the settings are too large"))
        }
        if case .layer(let before) = read(path), let kept = try? before.fileBytes() {
            try OpenFile.replace(oldPath, mode: 0o600, with: kept)
        }
        try OpenFile.replace(path, mode: 0o600, with: bytes)
    }

    private enum Reading: Sendable {
        case layer(SettingsLayer)
        case missing
        case damaged
    }

    private func read(_ path: String) -> Reading {
        do {
            return .layer(
                try SettingsLayer(fileBytes: try FileBytes.read(path, limit: SettingsLayer.longestFile)))
        } catch let error as FileError where error.isMissing {
            return .missing
        } catch {
            return .damaged
        }
    }
}
