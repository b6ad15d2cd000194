/// Names that appear in topics and files.
package enum FleetName {
    package static let organisation = "2 to 32 of a-z, 0-9 and -"
    package static let box = "1 to 32 of a-z, 0-9 and -"
    package static let group = "1 to 64 of a-z, 0-9, - and /"

    package static func isOrganisation(_ name: String) -> Bool {
        (2...32).contains(name.utf8.count) && isPlain(name)
    }
    package static func isBox(_ name: String) -> Bool { (1...32).contains(name.utf8.count) && isPlain(name) }

    /// Whether a name is a group's, such as `uk/london`.
    package static func isGroup(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && isPlain($0)
            }
    }

    private static func isPlain(_ name: some StringProtocol) -> Bool {
        name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
    }
}
