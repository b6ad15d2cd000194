internal import Glibc

/// The user who runs this program.
package enum Account {
    /// The user's name; `nil` where the user database has none.
    package static var ownName: String? { name(of: geteuid()) }

    /// The name of another user.
    package static func name(of id: UInt32) -> String? {
        guard let entry = unsafe getpwuid(id), let name = unsafe entry.pointee.pw_name else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// The home directory of a user with a name.
    package static func home(of name: String) -> String? {
        guard let entry = unsafe getpwnam(name), let home = unsafe entry.pointee.pw_dir else { return nil }
        return unsafe String(cString: home)
    }

    /// The user's name, or the number without one.
    package static var ownNameOrNumber: String { nameOrNumber(of: geteuid()) }

    package static func nameOrNumber(of id: UInt32) -> String { name(of: id) ?? "\(id)" }
}
