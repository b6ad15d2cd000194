import ArgumentParser
import CommandKit
import Glibc
import Host
import Maintenance
import Protocol

/// The screen on this machine's own display: `adhan-kiosk.service`, a compositor for one window and a browser in it.
extension DisplayCommand {
    struct EnableCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Shows the screen on this machine's display, now and after every start.",
            discussion: """
                Needs root, a display without a desktop on it, and the packages cage, seatd, xwayland and chromium. The browser is started \
                again when it crashes, hangs, or shows anything but the screen.
                """)

        @OptionGroup var global: GlobalOptions

        func run() throws {
            try Kiosk.prepare()
            try Kiosk.systemctl(
                ["enable", "--now", "adhan-display.socket", "adhan-display.service", Kiosk.unit])
            try Kiosk.report(
                "the screen is on this machine's display, now and after every start" + Kiosk.fontAdvice,
                global.output)
        }
    }

    struct DisableCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Ends that, and gives the display back to the console.",
            discussion: "Browsers on this machine still reach the screen's address.")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            try Kiosk.requireRoot()
            try Kiosk.systemctl(["disable", "--now", Kiosk.unit])
            try Kiosk.report("the display is the console's again", global.output)
        }
    }
}

/// Steps that the commands for this machine's display share.
private enum Kiosk {
    static let unit = ScreenServer.Unit.kiosk.rawValue

    static func report(_ sentence: String, _ output: Output) throws(CommandError) {
        try output.show(ChangeReply(sentence)) { _ in sentence + "\n" }
    }

    static func requireRoot() throws(CommandError) {
        guard geteuid() == 0 else {
            throw CommandError(.notPermitted, "only root decides what is on this machine's display; use sudo")
        }
    }

    /// Reports an obstacle that prevents the session before starting it.
    static func prepare() throws(CommandError) {
        guard ScreenServer.state(of: .kiosk) != nil else {
            throw CommandError(
                .failed,
                "\(unit) is not installed, or systemd does not run here; it is in the package adhand-display")
        }
        try requireRoot()
        let missing = [
            ("cage", "cage"), ("seatd", "seatd"), ("Xwayland", "xwayland"), ("chromium", "chromium"),
        ].filter {
            ChildProcess.find($0.0, in: .process) == nil
        }.map(\.1)
        guard missing.isEmpty else {
            throw CommandError(
                .failed,
                "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not installed; try: sudo apt "
                    + "install \(missing.joined(separator: " "))")
        }
        if SystemTool.output("systemctl", ["is-active", "display-manager.service"]) != nil {
            throw CommandError(
                .failed,
                "a desktop has this machine's display; start a browser at \"adhanctl display url\" in it, or give the "
                    + "display up with: sudo systemctl set-default multi-user.target, and restart")
        }
    }

    /// Advice about missing fonts. The screen's alert names the letters; this output reaches the person who can install fonts.
    static var fontAdvice: String {
        let fonts = [
            "/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf",
            "/usr/share/fonts/opentype/fonts-hosny-amiri/Amiri-Regular.ttf",
        ]
        guard !fonts.contains(where: Environment.process.exists) else { return "" }
        return "; it has no good Arabic letters here, for them: sudo apt install fonts-noto-core "
            + "fonts-hosny-amiri"
    }

    /// Seconds to wait for a browser's start.
    private static let patienceSeconds = 90.0

    static func systemctl(_ arguments: [String]) throws(CommandError) {
        guard let outcome = SystemTool.run("systemctl", arguments, seconds: patienceSeconds) else {
            throw CommandError(.failed, "systemctl is not there, or does not answer")
        }
        guard outcome.status == 0 else {
            throw CommandError(
                .failed,
                "systemctl \(arguments.joined(separator: " ")) failed; look at \"journalctl -u \(unit)\"")
        }
    }
}
