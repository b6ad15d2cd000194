internal import DisplayFeed
internal import Glibc
internal import Host
internal import Protocol
internal import ScreenPlan
internal import Synchronization
internal import Systemd
internal import Texts

/// One run of the display: a compositor, a browser in it, and a regular check whether the page still sends beats.
struct Session {
    private let server: PageServer
    private let touch: TouchGate?
    private let command: [String]
    private let variables: [String]
    private let beatToken: String
    private let touchToken: String?
    /// The page that the browser opens first.
    private let startPage: String
    /// The view that this display shows; `nil` for the default one.
    private var view: String?
    private var television: Television?

    /// Seconds between two checks.
    private static let intervalSeconds = 5.0
    private static let serverPatienceSeconds = 30.0

    /// Whether SIGTERM came.
    private static let isEnding = Atomic(false)

    init(
        server: PageServer, touchHelper: String, config file: String?, browser: String,
        compositor: [String], in environment: Environment
    ) throws(KioskError) {
        self.server = server
        for program in [compositor[0], browser] where ChildProcess.find(program, in: environment) == nil {
            throw KioskError(message: "\(program) is not installed; try: sudo apt install \(program)")
        }
        let config = try Self.settings(file, environment)
        let folder = environment.value("RUNTIME_DIRECTORY") ?? "/tmp/adhan-kiosk-\(geteuid())"
        beatToken = Secret.make()
        startPage = folder + "/start.html"
        view = config.displayView == View.wall ? nil : config.displayView
        do throws(FileError) {
            if environment.value("RUNTIME_DIRECTORY") == nil { try Directories.makePrivate(folder) }
            // Remove the remains of a killed browser, or the next one would ask questions.
            _ = try ChildProcess.run(
                "/bin/rm", ["-rf", "--", folder + "/profile"], environment: [], limitSeconds: 20)
            try Directories.make(folder + "/profile")
            touch =
                config.page.touch || SetUpScreen.isShown(in: environment) ? Self.gate(touchHelper) : nil
            var secret: String?
            if touch != nil {
                let token = Secret.make()
                // Only the helper's group may read the secret.
                try Self.write(
                    TouchSecret(token: token, port: server.port).text, to: folder + "/touch", mode: 0o640)
                secret = token
            }
            touchToken = secret
        } catch {
            throw KioskError(message: error.message)
        }
        command =
            compositor + [browser] + Self.options(profile: folder + "/profile") + ["file://" + startPage]
        television = config.screenAtNight == .cec ? Television(environment) : nil
        variables = environment.variables.map { "\($0.key)=\($0.value)" } + ["XDG_CACHE_HOME=\(folder)"]
    }

    private static func settings(
        _ file: String?, _ environment: Environment
    ) throws(KioskError) -> DisplayConfig {
        do throws(DisplayFileError) {
            let (read, complaints) = try DisplayFile.readForScreen(file, in: environment)
            for complaint in complaints { AdhanKiosk.log(complaint) }
            return read.config
        } catch {
            throw KioskError(message: error.sentences.joined(separator: "; "))
        }
    }

    /// The gate for taps, without which the screen is shown as well.
    private static func gate(_ helper: String) -> TouchGate? {
        do throws(KioskError) {
            return try TouchGate(helper: helper)
        } catch {
            AdhanKiosk.log("taps do nothing: \(error.message); then try: sudo systemctl restart adhan-kiosk")
            return nil
        }
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws(FileError) {
        try AtomicFile.replace(path, mode: mode) { draft throws(FileError) in
            try draft.write(Array(text.utf8))
        }
    }

    /// A local page that leads to the screen. Every user of the machine could read an address among a program's arguments, and
    /// the secrets in it.
    private var startText: String {
        let address =
            "http://127.0.0.1:\(server.port)/?kiosk=\(beatToken)" + (view.map { "&amp;view=\($0)" } ?? "")
            + (touchToken.map { "#touch=\($0)" } ?? "")
        return "<!doctype html><meta charset=utf-8><style>html{background:#000}</style>"
            + "<meta http-equiv=refresh content=\"0;url=\(address)\">\n"
    }

    /// The browser's options: no dialogs, no questions, no data kept, nothing fetched but the page. A page that changes once a
    /// second needs no GPU process, which would take 55 MB.
    private static func options(profile: String) -> [String] {
        let switches =
            "kiosk ozone-platform=wayland no-first-run noerrdialogs disable-session-crashed-bubble disable-infobars "
            + "no-default-browser-check password-store=basic disable-component-update disable-sync disable-extensions "
            + "disable-background-networking disable-breakpad disable-crash-reporter disable-logging disable-gpu "
            + "disk-cache-size=1048576 disable-pinch overscroll-history-navigation=0 renderer-process-limit=1 "
            + "disable-features=Translate,MediaRouter,OptimizationHints,SpareRendererForSitePerProcess"
        // Chromium's own sandbox cannot be set up by root; the service is not root.
        return switches.split(separator: " ").map { "--" + $0 } + (geteuid() == 0 ? ["--no-sandbox"] : [])
            + ["--user-data-dir=\(profile)"]
    }

    // MARK: Running

    mutating func run() throws(KioskError) {
        signal(SIGTERM) { _ in Session.isEnding.store(true, ordering: .relaxed) }
        signal(SIGINT) { _ in Session.isEnding.store(true, ordering: .relaxed) }
        signal(SIGPIPE, SIG_IGN)
        guard try awaitServer() else { return }
        // The server reads the settings when it starts, so it may not know a view that was added later.
        if let missing = view, !knowsView {
            AdhanKiosk.log(
                "adhan-display has no view \"\(missing)\", so the usual view is shown; if display.toml has it by now, try: "
                    + "sudo systemctl restart adhan-display adhan-kiosk")
            view = nil
        }
        do throws(FileError) {
            try Self.write(startText, to: startPage, mode: 0o600)
        } catch {
            throw KioskError(message: error.message)
        }
        let child = try RunningProgram(command, environment: variables)
        defer { child.end() }
        let manager = ServiceManager()
        manager.ready()
        var isShown = false
        var watch = PageWatch(startedAt: MonotonicClock.now())
        var nextCheck = MonotonicClock.now() + Self.intervalSeconds
        while !Self.isEnding.load(ordering: .relaxed) {
            if let ending = child.ending {
                throw KioskError(message: "the compositor or its browser \(ending), so both restart")
            }
            usleep(200_000)
            guard nextCheck <= MonotonicClock.now() else { continue }
            nextCheck = MonotonicClock.now() + Self.intervalSeconds
            guard !server.isTakenByAnother else {
                throw KioskError(
                    message:
                        "adhan-display's socket is gone and another program answers on port \(server.port), so the browser is "
                        + "ended; try: sudo systemctl start adhan-display.socket"
                )
            }
            guard knowsView else {
                throw KioskError(
                    message:
                        "adhan-display no longer has the view \"\(view ?? "")\", so the browser restarts"
                )
            }
            let heard = answer
            guard heard != .renewing else {
                throw KioskError(message: "the screen's files have changed, so the browser restarts")
            }
            guard !watch.isDead(heard.watched, at: MonotonicClock.now()) else {
                throw KioskError(
                    message: "the page has not answered for a minute, so the browser restarts")
            }
            if heard == .alive, !isShown {
                isShown = true
                AdhanKiosk.log("the screen is on the display")
            }
            manager.alive()
            let shown = television == nil ? nil : scene
            television?.follow(shown)
        }
    }

    /// Waits for the server. A browser that starts earlier would show an error instead of a screen, and one that is sent to
    /// another program would reveal the session's secrets.
    /// - Returns: false if this session is to end meanwhile.
    private func awaitServer() throws(KioskError) -> Bool {
        let deadline = MonotonicClock.now() + Self.serverPatienceSeconds
        while !Self.isEnding.load(ordering: .relaxed) {
            switch server.standing {
            case .proven:
                // From now on the server expects the page's beats.
                _ = answer
                return true
            case .elsewhere(let port?):
                throw KioskError(
                    message:
                        "adhan-display answers browsers on port \(port), but adhan-kiosk asks on port \(server.port); start adhan-kiosk "
                        + "with --port \(port)"
                )
            case .elsewhere(nil), .absent, .busy: break
            }
            guard MonotonicClock.now() < deadline else {
                throw KioskError(
                    message:
                        "adhan-display does not answer at \(server.path), so the browser does not start; try: systemctl status "
                        + "adhan-display.socket adhan-display")
            }
            usleep(300_000)
        }
        return false
    }

    /// The server's report of the page.
    private enum Heard {
        case alive, silent, renewing, unknown

        var watched: PageWatch.Answer {
            switch self {
            case .alive: .alive
            case .silent: .silent
            case .renewing, .unknown: .unknown
            }
        }
    }

    private func ask(_ question: String) -> LoopbackWeb.Reply? {
        do throws(FileError) {
            return try server.ask(question)
        } catch {
            return nil
        }
    }

    private var answer: Heard {
        switch ask("/beat?heard=\(beatToken)")?.status {
        case 200: .alive
        case 404: .silent
        case 410: .renewing
        default: .unknown
        }
    }

    /// Whether the server has the view of this display; assumed if it does not answer.
    private var knowsView: Bool {
        guard let view else { return true }
        return ask("/healthz?view=\(view)")?.status != 404
    }

    private var scene: Scene.Kind? {
        guard let reply = ask("/state.json" + (view.map { "?view=\($0)" } ?? "")),
            let state = try? JSON.decode(StateDocument.self, from: reply.body)
        else { return nil }
        return state.scene(at: WallClock.now()).flatMap { Scene.Kind(rawValue: $0.scene) }
    }
}

/// A secret that no other program on the machine can guess.
enum Secret {
    static func make() -> String {
        (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
    }
}
