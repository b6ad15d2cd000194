internal import CLinux
internal import Glibc

/// Selects the program where one executable file contains several: by the name under which the file was called.
///
/// There are two such files, adhand and adhan-programs, and a link for each other name. Swift's runtime, most of a program's
/// bytes, is therefore on the disk twice and not once for each program.
package enum CalledProgram {
    /// The program that was called, one of `names`; `nil` where the file was called by another name.
    package static func name(among names: [String]) -> String? {
        let called = unsafe adhand_called_name().map { unsafe String(cString: $0) }
        let executed = unsafe adhand_executed_path().map { unsafe String(cString: $0) }
        return name(among: names, called: called, executed: executed, target: Links.target)
    }

    /// - Parameters:
    ///   - called: the caller's name for the program, which may be any text.
    ///   - executed: the path of the file, which may be a link to one of the links.
    ///   - target: the target of a link; `nil` for a path that is not a link.
    static func name(
        among names: [String], called: String?, executed: String?, target: (String) -> String?
    ) -> String? {
        if let called, let name = program(called, names) { return name }
        var path = executed
        // The kernel follows at most 40 links, too.
        for _ in 0..<40 {
            guard let here = path else { return nil }
            if let name = program(here, names) { return name }
            path = target(here).map { $0.hasPrefix("/") ? $0 : Directories.parent(of: here) + "/" + $0 }
        }
        return nil
    }

    private static func program(_ path: String, _ names: [String]) -> String? {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return names.first { $0 == last }
    }
}
