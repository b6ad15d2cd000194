extension CheckDocument {
    /// Returns the first finding that keeps adhand from using the configuration and was not in an earlier check. Findings differ
    /// by place, key and remedy, those about sounds by the file and its uses; never by their sentences.
    package func firstFinding(since before: CheckDocument) -> String? {
        let knownSounds = Set(before.sounds.map(\.identity))
        var facts = SoundFacts()
        facts.files = sounds.filter { !knownSounds.contains($0.identity) }
        let known = Set(before.problems.filter { $0.severity == .problem }.map(\.identity))
        let found =
            CheckProblem.find(in: facts, sudo: false)
            + problems.filter { $0.kind != .sound && !known.contains($0.identity) }
        return found.first { $0.severity == .problem }?.message
    }
}

extension CheckProblem {
    fileprivate struct Identity: Hashable {
        let kind: Kind
        let file, key, fix: String?
        let line, column: Int?
    }

    fileprivate var identity: Identity {
        Identity(kind: kind, file: file, key: key, fix: fix, line: line, column: column)
    }
}

extension SoundFacts.File {
    fileprivate struct Identity: Hashable {
        let uses: [SoundUse]
        let path: String?
        let state: State
    }

    fileprivate var identity: Identity {
        let uses = prayers.map { SoundUse(prayer: $0, occasion: occasion, sound: name) }
        return Identity(uses: uses, path: path, state: state)
    }
}
