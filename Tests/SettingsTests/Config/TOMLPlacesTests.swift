import LabSupport
import SeededRandom
import TOMLKit
import Testing

@testable import Settings
@testable import TOML

@Suite("TOML: where everything stands")
struct TOMLPlacesTests {
    @Test(
        "Keys and values are found where they stand",
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
        let document = TOMLDocument(bytes)
        #expect(document.faults.isEmpty)
        let found = document.nodes.indices.map { index in
            let key = TextPosition(offset: document.nodes[index].keyOffset, in: bytes)
            let value = TextPosition(offset: document.nodes[index].range.lowerBound, in: bytes)
            return
                "\(document.text(of: index)) \(key.line):\(key.column) \(value.line):\(value.column)"
        }
        #expect(found == expected)
    }

    @Test("A value's bytes are the value and nothing else")
    func ranges() {
        let text = "a = 1 # c\nb = [ 1, 'x' ]  \nc={d = 2}\nd = \"\"\"\nx\"\"\" \ne = 1979-05-27 07:32:00 #\n"
        let bytes = Array(text.utf8)
        let document = TOMLDocument(bytes)
        let values = document.pairs.map {
            String(decoding: bytes[document.nodes[$0.node].range], as: UTF8.self)
        }
        #expect(
            values == ["1", "[ 1, 'x' ]", "{d = 2}", "2", "\"\"\"\nx\"\"\"", "1979-05-27 07:32:00"])
    }

    @Test("Whatever is read without a fault, TOMLKit reads as the same keys and values")
    func agreesWithTOMLKit() throws {
        var random = SplitMix64(seed: 7)
        var accepted = 0
        for _ in 0..<RandomCases.count(4000) {
            let text = Self.randomText(using: &random)
            let document = TOMLDocument(Array(text.utf8))
            guard document.faults.isEmpty else { continue }
            accepted += 1
            let table = try TOMLTable(string: text)
            let ours = document.nodes.indices.map {
                "\(document.text(of: $0)) \(Self.text(document.nodes[$0].value))"
            }
            #expect(Set(ours) == Set(Self.values(of: table, "")), "\(text)")
            #expect(Set(ours).count == ours.count)
        }
        #expect(accepted > RandomCases.count(1000))
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

    /// Paths with what is there, as TOMLKit has it.
    private static func values(of value: any TOMLValueConvertible, _ path: String) -> [String] {
        var result = path.isEmpty ? [] : ["\(path) \(text(value))"]
        if let table = value.table {
            for key in table.keys {
                guard let child = table[key] else { continue }
                result += values(of: child, (path.isEmpty ? "" : path + ".") + TOMLEscapes.key(key))
            }
        } else if let array = value.array {
            for (index, element) in array.enumerated() { result += values(of: element, "\(path)[\(index)]") }
        }
        return result
    }

    private static func text(_ value: any TOMLValueConvertible) -> String {
        switch value.type {
        case .bool: "flag \(value.bool ?? false)"
        case .int: "integer \(value.int ?? 0)"
        case .double: "number \(value.double ?? .nan)"
        case .string: "text \(value.string ?? "")"
        case .array: "list \(value.array?.count ?? 0)"
        case .table: "table"
        case .date, .time, .dateTime: "date"
        }
    }

    private static func text(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .flag(let flag): "flag \(flag)"
        case .integer(let integer): "integer \(integer)"
        case .number(let number): "number \(number)"
        case .text(let text): "text \(text)"
        case .list(let elements): "list \(elements.count)"
        case .table: "table"
        case .date: "date"
        case .invalid: "invalid"
        }
    }
}

extension TOMLDocument {
    /// A node's way from the top, with the elements of lists.
    func text(of node: Int) -> String {
        var result = ""
        var path: [Part] = []
        var current: Int? = node
        while let index = current {
            path.append(nodes[index].part)
            current = nodes[index].parent
        }
        for part in path.reversed() {
            switch part {
            case .key(let name): result += (result.isEmpty ? "" : ".") + TOMLEscapes.key(name)
            case .index(let index): result += "[\(index)]"
            }
        }
        return result
    }
}
