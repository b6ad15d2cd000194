import SeededRandom
import TOMLKit
import Testing

@testable import AdhanCore

struct KeyLocatorTests {
    @Test(
        "keys and values are found where they stand",
        arguments: [
            ("a = 1", ["a 1:1 1:5"]),
            ("\ta\t=\t'x'", ["a 1:2 1:6"]),
            ("a.b . c = 1", ["a 1:1 1:1", "a.b 1:3 1:3", "a.b.c 1:7 1:11"]),
            (
                "[a.\"b c\".'d']\ne=2",
                ["a 1:2 1:2", "a.\"b c\" 1:4 1:4", "a.\"b c\".d 1:10 1:10", "a.\"b c\".d.e 2:1 2:3"]
            ),
            ("[ a ]\n[ a . b ]", ["a 1:3 1:3", "a.b 2:7 2:7"]),
            (
                "a = {b = 1, c.d = [2, 3]}",
                [
                    "a 1:1 1:5", "a.b 1:6 1:10", "a.c 1:13 1:13", "a.c.d 1:15 1:19", "a.c.d[0] 1:20 1:20",
                    "a.c.d[1] 1:23 1:23",
                ]
            ),
            (
                "[[a]]\nb=1\n[[a]]\nb=2\n[a.c]",
                [
                    "a 1:3 1:3", "a[0] 1:1 1:1", "a[0].b 2:1 2:3", "a[1] 3:1 3:1", "a[1].b 4:1 4:3",
                    "a[1].c 5:4 5:4",
                ]
            ),
            (
                "a = [ # ]\n 1, # x = 3\n [\"]\", '#'],\n]\nb = 2",
                [
                    "a 1:1 1:5", "a[0] 2:2 2:2", "a[1] 3:2 3:2", "a[1][0] 3:3 3:3", "a[1][1] 3:8 3:8",
                    "b 5:1 5:5",
                ]
            ),
            ("a = \"\"\"\nb = 1\n\\\"\"\"\"\"\"\nc = 2", ["a 1:1 1:5", "c 4:1 4:5"]),
            ("a = '''x'\n[t]\n''''\nc = 2", ["a 1:1 1:5", "c 4:1 4:5"]),
            ("a = \"\\\"# no\" # b = 1\nc = ''\nd = \"\"", ["a 1:1 1:5", "c 2:1 2:5", "d 3:1 3:5"]),
            ("\"é\" = 1\nb = \"é\"", ["\"é\" 1:1 1:7", "b 2:1 2:5"]),
            ("a = 1979-05-27 07:32:00 # b\nc = 1", ["a 1:1 1:5", "c 2:1 2:5"]),
            ("\"\\u0061\\n\" = 1", ["\"a\\n\" 1:1 1:14"]),
            ("a.x = 1\na.y = 2", ["a 1:1 1:1", "a.x 1:3 1:7", "a.y 2:3 2:7"]),
        ] as [(String, [String])])
    func places(_ text: String, _ expected: [String]) {
        let bytes = Array(text.utf8)
        let keys = KeyLocator(bytes)
        let found = keys.nodes.indices.map { index in
            let key = TextPosition(offset: keys.nodes[index].keyOffset, in: bytes)
            let value = TextPosition(offset: keys.nodes[index].valueOffset, in: bytes)
            return
                "\(KeyPath.text(keys.path(of: index))) \(key.line):\(key.column) \(value.line):\(value.column)"
        }
        #expect(found == expected)
    }

    @Test("whatever TOMLKit accepts, every key that it yields is located, and no other")
    func agreesWithTOMLKit() {
        var random = SplitMix64(seed: 7)
        var accepted = 0
        for _ in 0..<4000 {
            let text = Self.randomText(using: &random)
            guard let table = try? TOMLTable(string: text) else { continue }
            accepted += 1
            let keys = KeyLocator(Array(text.utf8))
            #expect(keys.duplicate == nil, "\(text)")
            let located = Set(keys.nodes.indices.map { KeyPath.text(keys.path(of: $0)) })
            #expect(located == Set(Self.paths(of: table, "")), "\(text)")
            #expect(located.count == keys.nodes.count)
        }
        #expect(accepted > 1000)
    }

    @Test("a text torn anywhere does no harm")
    func torn() {
        let bytes = Array((ConfigLoaderTests.everything + "\n[[x.y]]\na=[{b='''\n'''},{}]\n").utf8)
        for length in bytes.indices {
            #expect(KeyLocator(Array(bytes.prefix(length))).nodes.count <= length)
            #expect(KeyLocator(Array(bytes.suffix(length))).nodes.count <= length)
        }
        var random = SplitMix64(seed: 11)
        for _ in 0..<2000 {
            let noise = (0..<60).map { _ in
                Array("[]{}=.,'\"\\#\n\r ab1".utf8).randomElement(using: &random) ?? 0
            }
            #expect(KeyLocator(noise).nodes.count <= noise.count)
        }
    }

    /// Lines of tables, arrays of tables and pairs with every kind of key and value, mostly valid together.
    private static func randomText(using random: inout SplitMix64) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: text += "[\(key(using: &random))] # [c]\n"
            case 1: text += "[[ \(key(using: &random)) ]]\r\n"
            case 2: text += " # \(key(using: &random)) = 1\n\n"
            default: text += "\(key(using: &random)) = \(value(3, using: &random))\n"
            }
        }
        return text
    }

    private static func key(using random: inout SplitMix64) -> String {
        let parts = ["a", "b", "c", "d-1", "2", "\"a b\"", "'x.y'", "\"\\u00e9\\\"\"", "\"é#\"", "e", "f"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            parts.randomElement(using: &random) ?? "a"
        }
        .joined(separator: [".", " . "].randomElement(using: &random) ?? ".")
    }

    private static func value(_ depth: Int, using random: inout SplitMix64) -> String {
        let scalars = [
            "1", "0x1F", "1_000.5e-3", "inf", "true", "\"#]}\\\\\"", "'\\'", "''", "\"\"",
            "1979-05-27", "1979-05-27 07:32:00Z", "07:32:00.5", "\"\"\"\n[a]\nb = \\\"\"\"1\"\"\"",
            "'''''x''\n = '''''",
            "\"\"\"\"\"\"",
        ]
        switch depth > 0 ? Int.random(in: 0..<6, using: &random) : 5 {
        case 0:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                value(depth - 1, using: &random)
            }
            return "[" + elements.joined(separator: " , # ]\n ") + (elements.isEmpty ? "\n" : ",\n") + "]"
        case 1:
            let pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                "\(key(using: &random)) = \(value(depth - 1, using: &random))"
            }
            return "{ " + pairs.joined(separator: ", ") + " }"
        default: return scalars.randomElement(using: &random) ?? "1"
        }
    }

    private static func paths(of value: any TOMLValueConvertible, _ path: String) -> [String] {
        var result = path.isEmpty ? [] : [path]
        if let table = value.table {
            for key in table.keys {
                guard let child = table[key] else { continue }
                result += paths(of: child, (path.isEmpty ? "" : path + ".") + TOMLEscapes.key(key))
            }
        } else if let array = value.array {
            for (index, element) in array.enumerated() { result += paths(of: element, "\(path)[\(index)]") }
        }
        return result
    }
}
