internal import ArgumentParser
internal import DisplayFeed
internal import Glibc
internal import Host
internal import ScreenPlan
internal import WebServer

/// A size such as `1920x1080`.
struct PictureSize: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let width: Int
    let height: Int

    init?(argument: String) {
        let parts = argument.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy((320...7680).contains) else { return nil }
        (width, height) = (parts[0], parts[1])
    }

    var description: String { "\(width)x\(height)" }
}

/// Draws the page at a given time with an installed browser.
struct Picture {
    let address: String
    let now: String
    let size: PictureSize
    let languages: String?
    let view: String?

    /// Browsers of one family, which draw a page only after its state has arrived.
    private static let browsers = [
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
    ]
    /// Seconds until drawing is abandoned. A small machine needs some of them to start a browser.
    private static let patienceSeconds = 90.0
    private static let largest = 64 << 20

    func draw(to file: String, in environment: Environment) throws(ServerError) {
        guard let browser = Self.browsers.lazy.compactMap({ ChildProcess.find($0, in: environment) }).first
        else {
            throw ServerError(
                message:
                    "no browser is installed that can draw; try: sudo apt install chromium-headless-shell")
        }
        let folder = "/tmp/adhan-display-\(getpid())-\(MonotonicClock.now())"
        do throws(FileError) {
            try Directories.makePrivate(folder)
            defer { Self.remove(folder) }
            let drawn = folder + "/picture.png"
            let outcome = try ChildProcess.run(
                browser, arguments(profile: folder + "/profile", drawn: drawn),
                environment: ["PATH=/usr/bin:/bin", "HOME=\(folder)", "LC_ALL=C.UTF-8"],
                limitSeconds: Self.patienceSeconds)
            let bytes = try? FileBytes.read(drawn, limit: Self.largest)
            guard let bytes, Self.size(of: bytes).map({ $0 == (size.width, size.height) }) == true else {
                let complaint = outcome.errorText.split(separator: "\n").last.map { ": \($0)" } ?? ""
                throw FileError("draw", file, reason: "\(browser) made no picture of \(size)\(complaint)")
            }
            try AtomicFile.write(bytes, to: file, like: file)
        } catch {
            throw ServerError(message: error.message)
        }
    }

    private func arguments(profile: String, drawn: String) -> [String] {
        let locale = (languages.map { "&lang=\($0)" } ?? "") + (view.map { "&view=\($0)" } ?? "")
        return [
            "--headless", "--hide-scrollbars", "--disable-gpu", "--no-first-run",
            "--force-device-scale-factor=1",
            "--window-size=\(size.width),\(size.height)", "--user-data-dir=\(profile)",
            // The page's time does not advance while it waits for an answer, so that a slow machine draws the same picture.
            "--virtual-time-budget=10000", "--screenshot=\(drawn)",
        ]
            // Chromium refuses to set up its sandbox as root.
            + (geteuid() == 0 ? ["--no-sandbox"] : []) + ["\(address)?now=\(now)\(locale)"]
    }

    /// Width and height from the first chunk of a PNG.
    private static func size(of png: [UInt8]) -> (Int, Int)? {
        guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        func number(at index: Int) -> Int { png[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(at: 16), number(at: 20))
    }

    /// Removes the browser's files.
    private static func remove(_ folder: String) {
        _ = try? ChildProcess.run("/bin/rm", ["-rf", "--", folder], environment: [], limitSeconds: 20)
    }
}
