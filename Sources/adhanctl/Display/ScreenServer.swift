import CommandKit
import DisplayFeed
import Glibc
import Host
import Maintenance
import Protocol
import ScreenPlan
import Texts

/// adhan-display on this machine: its addresses, units and answers.
struct ScreenServer {
    /// The units of its package.
    enum Unit: String, CaseIterable {
        case service = "adhan-display.service"
        case network = "adhan-display-lan.socket"
        case kiosk = "adhan-kiosk.service"
        case touch = "adhan-touch.socket"
    }

    let port: UInt16

    /// Seconds to wait for an answer.
    private static let patienceSeconds = 3.0

    /// - Parameter port: the port given on the command line; `nil`: that of the socket's unit.
    init(port: UInt16?) {
        self.port = port ?? Self.listening(to: "adhan-display.socket") ?? ScreenPort.page
    }

    var url: String { "http://127.0.0.1:\(port)/" }

    /// The addresses by which other machines reach the screen; none while that is off.
    var networkURLs: [String] {
        guard Self.state(of: .network) == "active", let port = Self.listening(to: Unit.network.rawValue)
        else { return [] }
        return NetworkAddresses.all.map { "http://\($0):\(port)/" }
    }

    /// Whether the program is installed, in whatever place; one that answers is.
    var isInstalled: Bool {
        let own = (CommandLine.arguments.first ?? "").split(separator: "/").dropLast().joined(separator: "/")
        let search = Environment.process.variables["PATH"]?.split(separator: ":").map(String.init) ?? []
        return Unit.allCases.contains { Self.state(of: $0) != nil }
            || (["/" + own, "/usr/bin", "/usr/local/bin"] + search).contains {
                Environment.process.exists($0 + "/adhan-display")
            } || (try? ask("/healthz")) != nil
    }

    static let notInstalled = CommandError(
        .failed, "the screen is not installed on this machine; it is the package adhand-display")

    func ask(_ path: String) throws(FileError) -> LoopbackWeb.Reply {
        try LoopbackWeb.ask(path, port: port, within: Self.patienceSeconds)
    }

    /// The port on which systemd listens for a socket's unit: `127.0.0.1:8787 (Stream)`. A Unix socket has none.
    private static func listening(to unit: String) -> UInt16? {
        guard let shown = SystemTool.output("systemctl", ["show", "-P", "Listen", unit]) else { return nil }
        return shown.split(whereSeparator: { $0 == " " || $0 == "\n" }).lazy
            .compactMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }.first
    }

    /// The state `active`, `inactive`, `failed` …; `nil` if systemd does not know the unit, or does not run.
    static func state(of unit: Unit) -> String? {
        guard
            let shown = SystemTool.output(
                "systemctl", ["show", "-P", "LoadState", "-P", "ActiveState", unit.rawValue])
        else { return nil }
        let words = shown.split(separator: "\n")
        guard words.count == 2, words[0] == "loaded" else { return nil }
        return String(words[1])
    }
}

/// The document of `display status --json`.
struct ScreenDocument: Encodable {
    let url: String
    let network: [String]
    /// Whether the server answers; whether adhand answers the server.
    let answers: Bool
    let healthy: Bool
    @Nullable var reason: String?
    @Nullable var scene: StateDocument.SceneEntry?
    /// Every available view, each at `?view=NAME`.
    let views: [String]
    /// The view on this machine's own display; `scene` and `legibility` are of this view.
    @Nullable var displayView: String?
    let notices: [String]
    /// The distance from which each part can be read; `null` if the screen's size is not set.
    @Nullable var legibility: Legibility?
    /// The state of each installed unit, as systemd reports it.
    let units: [String: String]

    init(_ server: ScreenServer) {
        url = server.url
        network = server.networkURLs
        let states = ScreenServer.Unit.allCases.compactMap { unit in
            ScreenServer.state(of: unit).map { (unit.rawValue, $0) }
        }
        units = Dictionary(states, uniquingKeysWith: { first, _ in first })
        do throws(FileError) {
            let health = try server.ask("/healthz")
            answers = true
            healthy = health.status == 200
            reason = healthy ? nil : Self.line(health.body)
            let state = Self.displayState(by: server)
            scene = state?.scene(at: WallClock.now())
            notices = state?.notices ?? []
            views = state?.views ?? []
            displayView = state?.displayView
            legibility = state.flatMap { Legibility($0.page) }
        } catch {
            (answers, healthy, notices, views) = (false, false, [], [])
            reason = error.message
        }
    }

    /// The state of the view on this machine's own display; the default view's if the server names none.
    private static func displayState(by server: ScreenServer) -> StateDocument? {
        func state(_ path: String) -> StateDocument? {
            try? JSON.decode(StateDocument.self, from: try server.ask(path).body)
        }
        let usual = state("/state.json")
        guard let view = usual?.displayView, view != View.wall else { return usual }
        return state("/state.json?view=\(view)") ?? usual
    }

    private static func line(_ body: [UInt8]) -> String {
        PlainText.visible(
            String(decoding: body.prefix(500), as: UTF8.self).split(separator: "\n").first.map(String.init)
                ?? "")
    }

    func text(_ style: Style) -> String {
        var lines = [("Screen", url + (answers ? "" : style("  does not answer", .alarm)))]
        for address in network { lines.append(("", address + style("  for other machines", .faint))) }
        if answers {
            lines.append(("adhand", healthy ? "answers" : style(reason ?? "does not answer", .alarm)))
        }
        if let scene { lines.append(("Shows", "\(scene.scene): \(scene.reason)")) }
        if !views.isEmpty { lines.append(("Views", ViewText.list(views, display: displayView))) }
        if let legibility {
            lines.append(("Readable", Legibility.text(legibility.parts)))
            if !legibility.tooSmall.isEmpty {
                let small = "too small at \(legibility.distance) m: \(Legibility.text(legibility.tooSmall))"
                lines.append(("", style(small, .caution)))
            }
        }
        for (index, notice) in notices.enumerated() {
            lines.append((index == 0 ? "Says" : "", style(notice, .caution)))
        }
        for (unit, state) in units.sorted(by: { $0.key < $1.key }) { lines.append((unit, state)) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value + "\n"
        }.joined()
    }
}
