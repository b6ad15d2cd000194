import Testing

@testable import BoxCard
@testable import Console
@testable import Settings
@testable import Texts

/// A box as far as its way into a fleet goes; adhand belongs to none any more.
private struct LeavingBox {
    var files = Set(FleetTrace.allCases)
    /// The bridge's answer to the first step: it forgets, or there is none.
    let bridgeAnswers: Bool
    /// Whether the running service speaks with the fleet's broker.
    var isConnected = true

    mutating func perform(_ step: FleetLeaving.Step) {
        switch step {
        case .askBridge where bridgeAnswers:
            isConnected = false
            files.subtract([.known, .password])
        case .askBridge: break
        case .remove(let trace): files.remove(trace)
        // It says farewell if its settings have no fleet any more.
        case .reloadBridge: if !files.contains(.link) { isConnected = false }
        }
    }

    /// A bridge whose settings name a file that is missing does not start, and then nobody learns when an adhan is not heard.
    var canBridgeStart: Bool { !files.contains(.link) || files.isSuperset(of: [.token, .authority]) }
}

@Suite("The way out of a fleet")
struct FleetLeavingTests {
    @Test(
        "Cut off after each step the bridge still starts, and the same steps again end it",
        arguments: [true, false])
    func cutOff(bridgeAnswers: Bool) {
        let steps = FleetLeaving.steps
        for end in 0...steps.count {
            var machine = LeavingBox(bridgeAnswers: bridgeAnswers)
            for step in steps[..<end] {
                machine.perform(step)
                #expect(machine.canBridgeStart, "after \(step)")
                // A service without its password in memory could not say farewell after a loss of its connection.
                #expect(machine.files.contains(.password) || !machine.isConnected, "after \(step)")
            }
            for step in steps { machine.perform(step) }
            #expect(machine.files.isEmpty && !machine.isConnected, "cut off after \(end) steps")
        }
    }

    @Test("Every file goes, each once, and the bridge is asked before any is removed")
    func whole() {
        let removed = FleetLeaving.steps.compactMap { if case .remove(let trace) = $0 { trace } else { nil } }
        #expect(removed.count == FleetTrace.allCases.count && Set(removed) == Set(FleetTrace.allCases))
        #expect(FleetLeaving.steps.first == .askBridge)
    }

    private static let token = "/etc/adhand/fleet-token"

    @Test(
        "A file that bridge.toml names as a value stays",
        arguments: [
            ("", false), ("# token-file = \"\(token)\"\n", false),
            ("[fleet]\ntoken-file = \"\(token)2\"\n", false),
            ("[fleet]\ntoken-file = \"\(token)\"\n", true), ("fleet = { token-file = '\(token)' }\n", true),
            ("[fleet\ntoken-file = \"\(token)\"\n", true), ("[fleet\n", false),
        ])
    func named(text: String, isNamed: Bool) {
        #expect(FleetLeaving.isNamed(Self.token, in: [[], Array(text.utf8)]) == isNamed)
    }
}

@Suite("The remains of a fleet")
struct FleetRemainsTests {
    private static let typed = "sudo adhanctl fleet leave"

    private func advice(_ remains: FleetRemains, isRoot: Bool = true) -> FleetRemains.Advice? {
        remains.advice(asRoot: Self.typed, isRoot: isRoot)
    }

    @Test("Where all is gone, one sentence has the way back")
    func gone() throws {
        var remains = FleetRemains(.gone(isBridgeBehind: false))
        remains.removed = ["/l", "/p"]
        #expect(advice(remains) == nil)
        remains.isWayGone = true
        let sentence = try #require(advice(remains))
        #expect(sentence.text == FleetRemains.wayBack && sentence.fix == nil)
        #expect(sentence.text.contains("a card with a fleet.toml whose word is still open"))
    }

    @Test("What is left is named, with what is to be typed by root and by others")
    func left() throws {
        var remains = FleetRemains(.gone(isBridgeBehind: false))
        remains.left = [
            .init(file: "/t", reason: "Permission denied"), .init(file: "/p", reason: "Permission denied"),
        ]
        let other = try #require(advice(remains, isRoot: false))
        #expect(other.text == "Still on this box: /t (Permission denied), /p (Permission denied).")
        #expect(other.fix == Self.typed)
        #expect(advice(remains)?.fix == "sudo rm -f /t /p")
        remains.named = ["/c"]
        #expect(
            advice(remains)?.text.hasSuffix(" /c stays, because bridge.toml or a drop-in of it names it.")
                == true)
        remains.left = []
        #expect(advice(remains)?.text == "/c stays, because bridge.toml or a drop-in of it names it.")
        #expect(advice(remains)?.fix == nil)
    }

    @Test("A box that obeys its fleet keeps everything, and a bridge that is behind is restarted")
    func others() throws {
        let member = try #require(advice(FleetRemains(.member(org: "noor"))))
        #expect(
            member.text.contains("still belongs to the fleet \"noor\"")
                && member.fix?.hasSuffix(Self.typed) == true)
        #expect(advice(FleetRemains(.member(org: nil)))?.text.contains("its fleet") == true)
        let behind = try #require(advice(FleetRemains(.gone(isBridgeBehind: true))))
        #expect(behind.fix == "sudo systemctl restart adhan-bridge")
    }

    @Test("The document has the change, the files and the sentence; a way back that is gone is not offered")
    func document() throws {
        let change = SetDocument(
            file: "/etc/adhand/adhand.toml", backup: "/etc/adhand/adhand.toml.bak",
            changes: [.init(key: "fleet.org", value: "", before: "\"noor\"", instead: "default")],
            ReloadResult(true, "adhand has loaded it; it is in effect now."))
        var remains = FleetRemains(.gone(isBridgeBehind: false))
        func document(_ changes: [SetDocument]) -> FleetLeaveDocument {
            FleetLeaveDocument(
                changes, file: "/f", ReloadResult(true, "Done."), remains, asRoot: Self.typed, isRoot: true)
        }
        #expect(document([change]).text(Style(colour: false)).contains("undoes it"))
        (remains.removed, remains.isWayGone, remains.named) = (["/p"], true, [])
        let text = document([change]).text(Style(colour: false))
        #expect(!text.contains("undoes it") && text.hasSuffix("Done. \(FleetRemains.wayBack)\n"))
        #expect(document([]).text(Style(colour: false)) == "Done. \(FleetRemains.wayBack)\n")
        remains.left = [.init(file: "/t", reason: "why")]
        let json = String(decoding: try JSON.encode(document([change])), as: UTF8.self)
        for part in [
            #""file":"/etc/adhand/adhand.toml""#, #""backup":"/etc/adhand/adhand.toml.bak""#,
            #""removed":["/p"]"#,
            #""left":[{"file":"/t","reason":"why"}]"#, #""fix":"sudo rm -f /t""#, #""reloaded":true"#,
        ] {
            #expect(json.contains(part), "\(json)")
        }
    }
}
