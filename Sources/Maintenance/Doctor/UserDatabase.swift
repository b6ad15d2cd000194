import CLinux
import Glibc

/// Users and groups from the system's databases.
enum UserDatabase {
    struct Group {
        let id: UInt32
        /// The users that the group's own list names.
        let names: [String]
    }

    static func group(named name: String) -> Group? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        var names: [String] = []
        var next = unsafe entry.pointee.gr_mem
        while let place = unsafe next, let text = unsafe place.pointee {
            unsafe names.append(String(cString: text))
            unsafe next = place + 1
        }
        return unsafe Group(id: entry.pointee.gr_gid, names: names)
    }

    /// The groups of the present process.
    static var ownGroups: [UInt32] {
        let count = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: max(0, Int(count)))
        let filled = unsafe getgroups(count, &groups)
        return [getegid()] + groups.prefix(max(0, Int(filled)))
    }
}
