internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Signature
internal import Synchronization
internal import Texts

/// Hands boxes' requests to be admitted from the session's thread to the assessing thread.
final class EnrolNews: Sendable {
    /// The most requests kept per turn. More are a flood, and an honest box asks again.
    private static let most = 512

    private let requests = Mutex<[EnrolRequest]>([])

    func note(_ payload: [UInt8], from box: String) {
        guard let request = EnrolRequest(payload, from: box, isHash: PasswordHash.isHash) else { return }
        requests.withLock { if $0.count < Self.most { $0.append(request) } }
    }

    func drain() -> [EnrolRequest] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}

/// Admits boxes: asks the desk, saves the decision, and only then gives the broker the hash. Only the assessing thread uses it.
struct EnrolKeeper {
    private let folder: EnrolFolder
    private let ownUser: String
    private var logged: Set<String> = []
    /// When the invitation is next checked for its end, by the monotonic clock.
    private var checkAt = 0.0
    private static let checkSeconds = 60.0
    private var hasSeenList = false

    init(_ folder: FleetFolder, ownUser: String) {
        (self.folder, self.ownUser) = (EnrolFolder(folder), ownUser)
    }

    /// - Parameter reported: the hardware that a box reports, as ``EnrolDesk/ask(_:reported:users:at:)`` expects it.
    /// - Returns: the boxes whose name another board has used.
    mutating func turn(
        _ requests: [EnrolRequest], at now: Timestamp, reported: (String) -> String?
    ) -> [String] {
        guard folder.isThere, !requests.isEmpty || now.uptime >= checkAt else { return [] }
        checkAt = now.uptime + Self.checkSeconds
        var clones: [String] = []
        do throws(FileError) {
            clones = try folder.edit { () throws(FileError) in try answer(requests, now.wall, reported) }
        } catch {
            log("\(error.message); nobody is let in")
        }
        return clones
    }

    /// Copies of damaged lists and traces of lost ones.
    var brokenFiles: [String] { folder.brokenFiles() }

    private mutating func answer(
        _ requests: [EnrolRequest], _ now: Instant, _ reported: (String) -> String?
    ) throws(FileError) -> [String] {
        let record = try folder.read(wasThere: hasSeenList)
        hasSeenList = hasSeenList || record.desk != EnrolDesk()
        if let complaint = record.complaint { log(complaint) }
        var desk = record.desk
        // The fleet's own user name is taken even before a person has given it a password.
        let users = try folder.users().union([ownUser])
        var hashes: [String: String?] = [:]
        var clones: [String] = []
        for request in requests {
            switch desk.ask(request, reported: reported(request.box), users: users, at: now) {
            case .accepted:
                hashes[request.box] = request.hash
                log("the box \(request.box) is let in")
            case .waiting:
                logOnce("the box \(request.box) waits: \"adhan-fleet enrol accept \(request.box)\"")
            case .waitingByKnownName:
                logOnce(
                    "the box \(request.box) asks for its place with another password, and its board has no number that would prove that it is the same box; if somebody has just written its card again or removed its password, type \"adhan-fleet enrol accept \(request.box)\", and otherwise leave it waiting"
                )
            case .refused(let why):
                logOnce("the box \(request.box) is not let in (\(why.rawValue))")
                if why == .cloned { clones.append(request.box) }
            }
        }
        if desk != record.desk || record.isSaveDue { try folder.save(desk, over: record) }
        // Only a used-up invitation removes the broker's user: a clock that is ahead must not end an invitation.
        if desk.invitation?.isUsedUp == true, users.contains(EnrolFolder.user) {
            hashes[EnrolFolder.user] = .some(nil)
        }
        if !hashes.isEmpty { try folder.change(hashes) }
        return clones
    }

    private mutating func logOnce(_ text: String) {
        if logged.count > 1000 { logged = [] }
        if logged.insert(text).inserted { log(text) }
    }

    private func log(_ text: String) { StandardError.write("adhan-fleet: \(text)") }
}
