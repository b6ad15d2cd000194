import Glibc
import Host
import Settings

/// Predicts whether adhand's socket will let this user stop and mute it: root, the daemon's own user and the members of a group
/// may.
enum ControlRights {
    static func mayChange(socket: String) -> Bool {
        if geteuid() == 0 { return true }
        var status = stat()
        guard unsafe stat(socket, &status) == 0 else { return false }
        if status.st_uid == geteuid() { return true }
        guard let group = unsafe getgrnam(groupName) else { return false }
        return unsafe groups.contains(group.pointee.gr_gid)
    }

    /// The group that the system's configuration names, or the default if that cannot be read.
    private static var groupName: String {
        guard let sources = try? ConfigFiles.read(Paths.systemConfiguration).sources,
            let config = try? ConfigLoader.load(sources).config
        else { return Config.default.controlGroup }
        return config.controlGroup
    }

    private static var groups: [gid_t] {
        var groups = [gid_t](repeating: 0, count: 256)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return Array(groups.prefix(max(0, Int(count)))) + [getegid()]
    }
}
