internal import Host
internal import Protocol
internal import Settings
internal import Times

extension SoundFolders {
    /// The sounds of a configuration that are missing or cannot be read; does not examine their content.
    func problems(of config: Config) -> [InputsProblem] {
        var problems: [InputsProblem] = []
        for use in SoundUse.all(in: config) where use.isPlayed(by: config) {
            let problem: InputsProblem? =
                switch find(use.sound, for: use.prayer) {
                case .file(let path): Self.unreadable([path])
                case .missing(let searched): Self.unreadable(searched) ?? Self.missing(use.sound)
                }
            if let problem, !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }

    private static func missing(_ name: String) -> InputsProblem {
        let kind = name.hasPrefix("/") ? "file" : "sound"
        return InputsProblem(.soundMissing, of: name, "there is no \(kind) \"\(name)\"; \(replacement)")
    }

    private static func unreadable(_ paths: [String]) -> InputsProblem? {
        ConfigChecker.obstacle(to: paths).map { path, sentence in
            InputsProblem(.soundUnreadable, of: path, "\(sentence); \(replacement)")
        }
    }

    private static let replacement = "the time signal will be played instead"
}
