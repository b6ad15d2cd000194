import CommandKit
import Glibc
import Host
import Maintenance

/// Turns the phone page on and off: its units, and its name on the network. Requires root.
enum RemoteSwitch {
    /// Seconds to wait for the server's start.
    private static let patienceSeconds = 60.0

    /// Enables the page; returns a remark if it has no name on the network.
    static func enable() throws(CommandError) -> String {
        try requireRoot("turns the phone page on")
        guard RemotePage.isInstalled else { throw RemotePage.notInstalled }
        let remark = try announce()
        try systemctl(["enable", "--now"] + RemotePage.units)
        return remark
    }

    static func disable() throws(CommandError) {
        try requireRoot("turns the phone page off")
        guard RemotePage.isInstalled else { throw RemotePage.notInstalled }
        if unsafe unlink(RemotePage.announcement) != 0, errno != ENOENT {
            throw CommandError(.failed, FileError("remove", RemotePage.announcement, code: errno).message)
        }
        reloadResolver()
        try systemctl(["disable", "--now"] + RemotePage.units)
    }

    private static func requireRoot(_ what: String) throws(CommandError) {
        guard geteuid() == 0 else {
            let word = CommandLine.arguments.dropFirst().joined(separator: " ")
            throw CommandError(.notPermitted, "only root \(what); type: sudo adhanctl \(word)")
        }
    }

    /// Announces the page by a link into the package, so that an upgrade changes the announcement and a removal ends it.
    private static func announce() throws(CommandError) -> String {
        guard let source = RemotePage.announcementSource else {
            return "; it has no name on the network, as \(RemotePage.announced) is not installed"
        }
        let link = RemotePage.announcement
        do throws(FileError) {
            try Directories.make(Directories.parent(of: link), mode: 0o755)
        } catch {
            throw CommandError(.failed, error.message)
        }
        // Replace a link, which leads to an earlier path of the package; a file is a person's own announcement, and stays.
        var status = stat()
        if unsafe lstat(link, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFLNK else { return "" }
            unsafe unlink(link)
        }
        guard unsafe symlink(source, link) == 0 else {
            throw CommandError(.failed, FileError("link", link, code: errno).message)
        }
        guard RemotePage.state(of: RemotePage.resolver) == "active" else {
            return
                "; it has no name on the network, as systemd-resolved does not run here; for that: sudo apt install "
                + "systemd-resolved"
        }
        reloadResolver()
        return ""
    }

    /// Reloads or restarts the resolver: before systemd 253 it reads announcements only at its start.
    private static func reloadResolver() {
        _ = SystemTool.run("systemctl", ["try-reload-or-restart", RemotePage.resolver], seconds: 20)
    }

    private static func systemctl(_ arguments: [String]) throws(CommandError) {
        guard let outcome = SystemTool.run("systemctl", arguments, seconds: patienceSeconds) else {
            throw CommandError(.failed, "systemctl is not there, or does not answer")
        }
        guard outcome.status == 0 else {
            throw CommandError(
                .failed,
                "systemctl \(arguments.joined(separator: " ")) failed; look at \"journalctl -u adhan-remote\""
            )
        }
    }
}
