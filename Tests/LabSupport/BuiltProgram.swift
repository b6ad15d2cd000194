import Foundation

/// The programs that tests start: those that the environment names, or what was built beside the tests.
public enum BuiltProgram {
    /// Names that are links to another program's file (Package.swift).
    private static let files = [
        "adhanctl": "adhand", "adhan-companion": "adhan-programs", "adhan-display": "adhan-programs",
        "adhan-kiosk": "adhan-programs", "adhan-touch": "adhan-programs",
    ]
    private static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Whether they are the programs as they are installed (`make released`), which limits of time and memory are meant for.
    public static let isReleased = ProcessInfo.processInfo.environment["ADHAND_RELEASED"] != nil

    /// - Parameter variable: of the environment, such as `ADHAND_BIN`.
    public static func path(_ name: String, variable: String) -> String {
        if let named = ProcessInfo.processInfo.environment[variable] { return named }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let file = own.appending(path: files[name] ?? name).path
        let isThere = FileManager.default.isExecutableFile(atPath: file)
        return path(name, in: isThere ? own : checkout.appending(path: ".build/debug"))
    }

    /// The program of that name in the folder of another one.
    public static func path(_ name: String, beside program: String) -> String {
        path(name, in: URL(filePath: program).deletingLastPathComponent())
    }

    /// Copies a program's file, where a copied link would lead nowhere. The copy is called by its own name.
    public static func copy(_ program: String, to path: String) throws {
        try FileManager.default.copyItem(
            at: URL(filePath: program).resolvingSymlinksInPath(), to: URL(filePath: path))
    }

    /// SwiftPM makes no links, and an older build may have left a program where one is to be. `make` does the same.
    private static func path(_ name: String, in folder: URL) -> String {
        let path = folder.appending(path: name).path
        guard let file = files[name], folder.pathComponents.contains(where: { $0.hasPrefix(".build") }),
            FileManager.default.isExecutableFile(atPath: folder.appending(path: file).path),
            (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != file
        else { return path }
        // Suites run side by side: the link is there at once, whoever else makes it.
        let draft = "\(path).new-\(UUID().uuidString)"
        try? FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: file)
        if unsafe rename(draft, path) != 0 { try? FileManager.default.removeItem(atPath: draft) }
        return path
    }
}
