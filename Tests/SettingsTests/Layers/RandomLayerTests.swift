import LabSupport
import SeededRandom
import Testing

@testable import Settings

/// The layer against a checker that knows nothing but its rules: dictionaries, and every act from the beginning.
@Suite("The settings layer in random lives")
struct RandomLayerTests {
    private static let keys = [
        "adhan.volume", "adhan.fajr.volume", "adhan.isha.volume", "audio.preroll", "iqama.volume",
    ]
    private static let pins = [["adhan"], ["adhan.fajr.volume"], ["audio", "iqama.volume"], []]

    private struct Files {
        var written: [String: Int] = [:]
        var pinned: [String] = []

        var layer: LayerFiles {
            var config = Config.default
            config.control.pinned = pinned
            return LayerFiles(
                EffectiveConfig(
                    config: config,
                    settings: written.map {
                        ConfigSetting(
                            key: $0.key, value: text($0.key, $0.value), place: .init(file: "f", line: 1))
                    }))
        }
    }

    private static func text(_ key: String, _ value: Int) -> String {
        key == "audio.preroll" ? "\"\(value)s\"" : "\(value)"
    }

    /// Whether values may stand together: a rule that hangs on several keys, and on what the files say.
    private static func fit(_ values: [String: String]) -> Bool {
        let sum = values.values.reduce(0) { $0 + (Int($1.filter(\.isNumber)) ?? 0) }
        return sum <= 90 && (values["iqama.volume"] == nil || values["audio.preroll"] != nil)
    }

    private struct Checker {
        struct Word { var value: String, over: String? }
        typealias Past = (number: Int, steps: [(key: String, before: Word?)])
        var words: [String: Word] = [:]
        /// Keys that stand and fall together, in the order in which they take effect.
        var groups: [[String]] = []
        var past: [Past] = []

        mutating func write(_ new: [(key: String, word: Word?)]) {
            let real = new.filter { pair in
                let old = words[pair.key]
                return old?.value != pair.word?.value || (old != nil && old?.over != pair.word?.over)
            }
            if real.isEmpty { return }
            past.append((past.count + 1, real.map { ($0.key, words[$0.key]) }))
            let touched = Set(real.map(\.key))
            var group = Set(groups.filter { !touched.isDisjoint(with: $0) }.joined())
            groups.removeAll { !touched.isDisjoint(with: $0) }
            for (key, word) in real {
                words[key] = word
                if word == nil { group.remove(key) } else { group.insert(key) }
            }
            if !group.isEmpty { groups.append(group.sorted()) }
        }

        func isPinned(_ key: String, _ files: Files) -> Bool {
            files.pinned.contains { pin in (key + ".").hasPrefix(pin + ".") }
        }

        func states(_ files: Files) -> [String: SettingState] {
            var states: [String: SettingState] = [:]
            var inForce = files.written.reduce(into: [:]) {
                $0[$1.key] = RandomLayerTests.text($1.key, $1.value)
            }
            for group in groups {
                var trial = inForce
                for key in group {
                    guard let word = words[key] else { continue }
                    if isPinned(key, files) {
                        states[key] = .pinned
                    } else if word.over != files.written[key].map({ RandomLayerTests.text(key, $0) }) {
                        states[key] = .superseded
                    } else {
                        trial[key] = word.value
                    }
                }
                let own = group.filter { states[$0] == nil }
                let fits = own.isEmpty || RandomLayerTests.fit(trial)
                for key in own { states[key] = fits ? .set : .invalid }
                if fits { inForce = trial }
            }
            return states
        }

        /// The number to undo, or why not.
        func undoable(_ number: Int, _ files: Files) -> Past? {
            guard let found = past.first(where: { $0.number == number }) else { return nil }
            let keys = Set(found.steps.map(\.key))
            if keys.contains(where: { isPinned($0, files) }) { return nil }
            let later = past.filter { $0.number > number }.flatMap { $0.steps.map(\.key) }
            return keys.isDisjoint(with: later) ? found : nil
        }
    }

    @Test("Random sequences of edits, settings, undo and pins end as the checker says")
    func sequences() throws {
        var random = SplitMix64(seed: 29)
        let author = SettingAuthor(user: "root")
        for sequence in 0..<RandomCases.count(10_000) {
            var (files, layer, checker) = (Files(), SettingsLayer(), Checker())
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                let key = Self.keys.randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    files.written[key] =
                        Bool.random(using: &random) ? nil : Int.random(in: 0...40, using: &random)
                case 1: files.pinned = Self.pins.randomElement(using: &random) ?? []
                case 2, 3:
                    let number = Int.random(in: 1...max(1, layer.change), using: &random)
                    let found = checker.undoable(number, files)
                    let draft = try? layer.undoing(number, by: author, as: .fresh, over: files.layer, at: "")
                    #expect((draft == nil) == (found == nil), "sequence \(sequence)")
                    guard let draft, let found else { break }
                    layer = draft.layer
                    checker.write(found.steps.map { ($0.key, $0.before) })
                default:
                    let chosen = Self.keys.shuffled(using: &random).prefix(
                        Int.random(in: 1...2, using: &random))
                    let wanted = chosen.map { key in
                        (
                            key,
                            Int.random(in: 0..<5, using: &random) == 0
                                ? nil : Self.text(key, Int.random(in: 0...50, using: &random))
                        )
                    }
                    let draft = try? layer.setting(
                        wanted.map { SettingChange(key: $0.0, value: $0.1) }, by: author, as: .fresh,
                        over: files.layer, at: "")
                    #expect(
                        (draft == nil) == wanted.contains { checker.isPinned($0.0, files) },
                        "sequence \(sequence)")
                    guard let draft else { break }
                    layer = draft.layer
                    checker.write(
                        wanted.map { key, value in
                            (
                                key,
                                value.map {
                                    Checker.Word(
                                        value: $0, over: files.written[key].map { Self.text(key, $0) })
                                }
                            )
                        })
                }
            }
            let written = files.written
            let evaluated = layer.evaluated(over: files.layer) { entries in
                var values = written.reduce(into: [:]) { $0[$1.key] = Self.text($1.key, $1.value) }
                for entry in entries { values[entry.key] = entry.value }
                return Self.fit(values) ? nil : "too much"
            }
            let states = Dictionary(uniqueKeysWithValues: evaluated.map { ($0.entry.key, $0.state) })
            #expect(states == checker.states(files), "sequence \(sequence)")
            #expect(layer.change == checker.past.count)
            #expect(
                Dictionary(uniqueKeysWithValues: layer.entries.map { ($0.key, $0.value) })
                    == checker.words.mapValues(\.value))
            if sequence % 100 == 0 { #expect(try SettingsLayer(fileBytes: layer.fileBytes()) == layer) }
        }
    }
}
