internal import Envelope
internal import FleetPlan
internal import Host

/// The boxes that a person has taken out of the fleet. Neither a command nor the watch publishes to their topics.
struct RevokedBoxes {
    private let folder: EnrolFolder
    /// The list of boxes as it was last read.
    private var list: (stamp: FileStamp?, desk: EnrolDesk)?
    /// The broker's users. They are needed while the list does not record revocations: a revoked box has no password.
    private var users: (stamp: FileStamp?, names: Set<String>)?

    init(_ folder: FleetFolder) { self.folder = EnrolFolder(folder) }

    /// - Parameter box: a box, or the word for all boxes, which cannot be revoked.
    mutating func contains(_ box: String) -> Bool {
        guard box != ChangePlace.everyBox else { return false }
        let stamp = folder.stamp()
        // A list that cannot be read leaves the last one in use.
        if list == nil || list?.stamp != stamp, let desk = try? folder.read().desk { list = (stamp, desk) }
        if let desk = list?.desk, !desk.isRebuilt { return desk.wasRevoked(box) }
        if list?.desk.wasRevoked(box) == true { return true }
        return !isUser(box)
    }

    private mutating func isUser(_ box: String) -> Bool {
        let stamp = FileStamp(folder.passwords)
        if users == nil || users?.stamp != stamp, let names = try? folder.users() { users = (stamp, names) }
        return users?.names.contains(box) == true
    }
}
