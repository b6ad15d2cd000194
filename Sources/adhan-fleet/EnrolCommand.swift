internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Texts

/// `adhan-fleet enrol VERB`
struct EnrolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Invite boxes, and say which of them belong to the fleet.",
        discussion: """
            "new" writes one file for the cards of many boxes. Each makes a password of its own and asks for its place with the word \
            of that file; "adhan-fleet watch" lets it in, or keeps it waiting for "accept".
            """,
        subcommands: [NewEnrolment.self, ListEnrolments.self, AcceptBox.self, RevokeBox.self])
}

/// Options of the commands below `enrol`.
struct EnrolOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    var folder: EnrolFolder { EnrolFolder(place.folder) }

    func record() throws(FleetError) -> EnrolRecord {
        do throws(FileError) { return try folder.read() } catch { throw FleetError(.failed, error.message) }
    }

    /// Changes the list on disk.
    /// - Parameter finish: updates the broker once the list is saved, because an admitted box must have its place first.
    func edit<Result>(
        _ work: (inout EnrolDesk) throws(FileError) -> Result,
        then finish: (Result) throws(FileError) -> Void = { _ in }
    ) throws(FleetError) -> Result {
        try folder.make()
        do throws(FileError) {
            return try folder.edit { () throws(FileError) in
                let record = try folder.read()
                if let complaint = record.complaint { StandardError.write("adhan-fleet: \(complaint)") }
                var desk = record.desk
                let result = try work(&desk)
                if desk != record.desk || record.isSaveDue { try folder.save(desk, over: record) }
                try finish(result)
                return result
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
    }
}

struct AcceptBox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let a box in that waits.")

    @OptionGroup var options: EnrolOptions

    @Argument(help: ArgumentHelp("The box.", valueName: "box")) var box: String

    private struct Document: Encodable { let box: String }

    func run() throws {
        let content = try options.place.folder.read()
        let folder = options.folder
        let outcome = try options.edit {
            (desk: inout EnrolDesk) throws(FileError) -> Result<EnrolRequest, EnrolDesk.AcceptRefusal> in
            let users = try folder.users().union([content.config.username])
            do throws(EnrolDesk.AcceptRefusal) {
                return .success(try desk.accept(box, users: users, at: WallClock.now()))
            } catch {
                return .failure(error)
            }
        } then: { outcome throws(FileError) in
            guard case .success(let request) = outcome else { return }
            try folder.change([request.box: request.hash])
        }
        if case .failure(let refusal) = outcome { throw FleetError(.failed, Self.sentence(refusal, box)) }
        try options.common.output.show(Document(box: box)) { _ in "\(box) is let in.\n" }
    }

    private static func sentence(_ refusal: EnrolDesk.AcceptRefusal, _ box: String) -> String {
        let box = PlainText.visible(box)
        return switch refusal {
        case .notWaiting: "no box \"\(box)\" waits; \"adhan-fleet enrol list\" shows those that do"
        case .taken:
            "the broker has a user \"\(box)\" already, who did not come by an invitation; \"adhan-fleet enrol revoke \(box)\" takes that one out"
        case .usedUp(let count):
            "the invitation has had all its boxes, which are \(count), so \"\(box)\" goes on waiting; \"adhan-fleet enrol new\" invites more, and then this box can be accepted"
        }
    }
}

struct RevokeBox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a box out: the broker knows it no longer, and keeps nothing of it.",
        discussion: "It goes on calling the adhan as it did.")

    @OptionGroup var options: EnrolOptions

    @Argument(help: ArgumentHelp("The box.", valueName: "box")) var box: String

    private struct Document: Encodable { let box: String }

    func run() throws {
        let content = try options.place.folder.read()
        guard FleetName.isBox(box), box != content.config.username, !FleetTopic.reserved.contains(box) else {
            throw FleetError(.usage, "\"\(PlainText.visible(box))\" is no box")
        }
        let folder = options.folder
        let (isKnown, complaint) = try revoke(folder)
        guard isKnown else {
            throw FleetError(
                .failed,
                complaint
                    ?? "the fleet has no box \"\(PlainText.visible(box))\"; \"adhan-fleet enrol list\" shows those that it has"
            )
        }
        do throws(FleetError) {
            try BrokerDelivery.send(
                [], to: FleetTopic(org: content.org).all(of: box), content, as: "adhan-fleet-revoke")
        } catch {
            throw FleetError(
                error.status,
                "\(error.message). \(box) has lost its password already; type the same again once the broker is there, so that it keeps nothing of the box"
            )
        }
        try options.common.output.show(Document(box: box)) { _ in "\(box) is taken out.\n" }
        if let complaint {
            throw FleetError(
                .failed,
                "\(complaint), so the list of boxes was not changed; \(box) is taken out all the same")
        }
    }

    /// Takes a box out of the fleet. The broker's passwords decide who connects, so a list that cannot be read or written does
    /// not hold this up.
    /// - Returns: whether the box was known, and why the list was not changed.
    private func revoke(_ folder: EnrolFolder) throws(FleetError) -> (isKnown: Bool, complaint: String?) {
        try folder.make()
        do throws(FileError) {
            return try folder.edit { () throws(FileError) in
                let isUser = try folder.users().contains(box)
                var (isKnown, complaint): (Bool, String?) = (isUser, nil)
                do throws(FileError) {
                    let record = try folder.read()
                    if let loss = record.complaint { StandardError.write("adhan-fleet: \(loss)") }
                    var desk = record.desk
                    // A revoked box may be revoked again: if the broker was away the first time, its retained messages still
                    // have to be cleared.
                    isKnown = desk.wasRevoked(box) || isUser
                    isKnown = desk.revoke(box, isUser: isUser) || isKnown
                    if desk != record.desk || record.isSaveDue { try folder.save(desk, over: record) }
                } catch {
                    complaint = error.message
                }
                let none: String? = nil
                if isKnown { try folder.change([box: none]) }
                return (isKnown, complaint)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
    }
}
