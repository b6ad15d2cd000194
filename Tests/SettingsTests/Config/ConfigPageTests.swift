import Foundation
import Testing

@testable import Settings

/// The documents about the configuration, held against the schema.
@Suite("What is written about the configuration")
struct ConfigPageTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        return try String(contentsOfFile: "\(root.dropFirst())/\(path)", encoding: .utf8)
    }

    /// Section headings of adhand.toml(5), and the keys that the items below each name.
    private static func documented() throws -> [String: Set<String>] {
        let page = try text("docs/man/adhand.toml.5")
        var keys: [String: Set<String>] = [:]
        var section: String?
        for line in page.split(separator: "\n") {
            if line.hasPrefix(".Sh") { section = nil }
            if line.hasPrefix(".Ss") {
                section = line.dropFirst(4).prefix { $0 != "]" }.filter {
                    $0 != "[" && $0 != "\\" && $0 != "&"
                }
            }
            guard let section, line.hasPrefix(".It Ic "), let end = line.range(of: " No =") else { continue }
            let names = line[..<end.lowerBound].dropFirst(".It Ic ".count).split { $0 == " " || $0 == "," }
            keys[section, default: []].formUnion(names.map(String.init))
        }
        return keys
    }

    @Test("The manual page names every key, and none that does not exist")
    func manualPage() throws {
        var expected: [String: Set<String>] = ["adhan": Set(ConfigSchema.adhan.map(\.name))]
        for section in ConfigSchema.sections {
            let heading = section.path.isEmpty ? "At the top" : section.path.joined(separator: ".")
            if section.path.first == "iqama", section.path.count == 2 {
                // Every prayer has the same keys; the page shows them once.
                expected["iqama.PRAYER"] = Set(section.keys.map(\.name))
                continue
            }
            expected[heading, default: []].formUnion(
                section.keys.filter { !$0.rule.isCompound }.map(\.name))
            for key in section.keys {
                let table = (section.path + [key.name]).joined(separator: ".")
                if case .tables(let shape) = key.rule { expected[table] = Set(shape.fields.map(\.name)) }
                if case .entries(let shape) = key.rule {
                    expected[table] = ["\\(dq\(shape.example.name)\\(dq"]
                }
            }
        }
        #expect(try Self.documented() == expected)
    }

    @Test("The configuration that is installed changes nothing")
    func shipped() throws {
        let text = try Self.text("Resources/adhand.toml")
        #expect(try ConfigLoader.load(text: Array(text.utf8), file: "adhand.toml") == .default)
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
    }

    @Test("With the marks taken away, the installed configuration is valid, and names every key")
    func shippedUncommented() throws {
        let setting = /^# (\[+[a-z.-]+\]+|[a-z-]+ = .*|"[0-9-]+" = .*)$/
        let lines = try Self.text("Resources/adhand.toml").split(separator: "\n").compactMap {
            try setting.wholeMatch(in: $0)?.1
        }
        // The angles go with a method of one's own, and devices of [audio] with no [[output]].
        let beside = lines.firstIndex { $0.hasPrefix("keep-awake = ") }
        let text = lines.enumerated().filter { index, line in
            !line.hasPrefix("zone = ") && !line.hasPrefix("devices = [\"default\"]") && index != beside
        }.map(\.element).joined(separator: "\n")
            .replacing("method = \"auto\"", with: "method = \"custom\"")
        _ = try ConfigLoader.load(text: Array(text.utf8), file: "adhand.toml")
        for section in ConfigSchema.sections {
            for key in section.keys where key.name != "isha-minutes" {
                let name = (section.path + [key.name]).joined(separator: ".")
                switch key.rule {
                case .tables(let shape):
                    #expect(lines.contains("[[\(name)]]"), "\(name)")
                    // Of the others a few keys stand for the rest.
                    guard ["quiet", "call"].contains(name) else { continue }
                    let table = lines.drop { $0 != "[[\(name)]]" }.dropFirst().prefix { !$0.hasPrefix("[") }
                    for field in shape.fields {
                        #expect(table.contains { $0.hasPrefix("\(field.name) = ") }, "\(name).\(field.name)")
                    }
                case .entries: #expect(lines.contains("[\(name)]"), "\(name)")
                default: #expect(lines.contains { $0.hasPrefix("\(key.name) = ") }, "\(key.name)")
                }
            }
        }
        for key in ConfigSchema.adhan {
            #expect(lines.contains { $0.hasPrefix("\(key.name) = ") }, "\(key.name)")
        }
    }
}
