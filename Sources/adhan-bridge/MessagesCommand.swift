internal import ArgumentParser
internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Texts

/// `adhan-bridge messages`: the service with network access behind the phone page and `adhanctl fleet leave`. systemd passes it
/// one connection, after which it ends.
struct MessagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Takes the address for messages that was typed on the phone page.",
        discussion: "For adhan-messages.socket, which hands over one connection as standard input.",
        shouldDisplay: false)

    @ParentCommand var parent: AdhanBridge

    @Flag(help: "Take addresses of this network, too; for trials.")
    var near = false

    func run() throws {
        guard LineConnection.isSocket(STDIN_FILENO) else {
            throw BridgeError(.usage, "standard input is no socket; adhan-messages.socket starts this")
        }
        umask(0o077)
        Memory.beFrugal()
        MessagesServer(
            config: parent.place.configFile, files: StateFiles(parent.place.stateFolder),
            box: try AdhanBridge.box(parent.box), isNearAllowed: near,
            adhand: AdhandLink(socket: Paths.clientSocket(option: parent.socket, in: .process))
        ).serve(STDIN_FILENO)
    }
}

/// Serves one caller, who may set one address and send test messages. Root may also have the bridge forget a fleet. The
/// bridge's service notices a new address by itself.
private struct MessagesServer {
    let config: String
    let files: StateFiles
    let box: String
    let isNearAllowed: Bool
    let adhand: AdhandLink

    /// Seconds for receiving the line, and for sending the answer.
    private static let patienceSeconds = 10.0
    /// Seconds to wait for another caller's message.
    private static let turnSeconds = 20.0
    /// Seconds between two messages, so that a faulty caller cannot send a flood of them.
    private static let pauseSeconds: UInt32 = 5
    /// The most characters of a place's name.
    private static let longestPlace = 100
    /// The most bytes that are read and dropped from a caller that sends more than one line.
    private static let mostDropped = 1 << 16

    private static var soon: Double { MonotonicClock.now() + patienceSeconds }

    func serve(_ descriptor: Int32) {
        var connection = LineConnection(descriptor)
        var lock: LockFile?
        let reply: MessagesReply
        do throws(MessagesRefusal) {
            let request = try Self.request(&connection)
            switch request.act {
            // These send no message, so they need not wait for their turn.
            case .show, .forgetFleet: break
            case .set, .test, .remove: lock = try turn()
            }
            reply = try perform(request, of: LineConnection.user(of: descriptor))
        } catch {
            reply = error.reply
        }
        if let line = try? JSON.encode(completed(reply)) { connection.send(line: line, until: Self.soon) }
        connection.end(dropping: Self.mostDropped, until: Self.soon)
        guard let lock else { return }
        sleep(Self.pauseSeconds)
        lock.release()
    }

    private static func request(_ connection: inout LineConnection) throws(MessagesRefusal) -> MessagesRequest
    {
        let line = try? connection.line(most: MessagesRequest.mostBytes, until: soon)
        guard let line, let request = try? JSON.decode(MessagesRequest.self, from: line) else {
            throw MessagesRefusal(.request, "this is no request about messages")
        }
        return request
    }

    private func perform(
        _ request: MessagesRequest, of user: UInt32?
    ) throws(MessagesRefusal) -> MessagesReply {
        switch request.act {
        case .show: return MessagesReply("")
        case .forgetFleet: return try forgetFleet(user)
        case .set:
            let page: PageAlert
            switch PageAlert.typed(request.address ?? "", isNearAllowed: isNearAllowed) {
            case .failure(let problem): throw MessagesRefusal(.address, problem.reason)
            case .success(let read): page = read
            }
            let file = try file(beside: page)
            guard file.config.destinations.contains(page.destination) else {
                throw MessagesRefusal(
                    .pinned,
                    "\"\(config)\" has an alert \"\(PageAlert.name)\", which goes before this address")
            }
            try send(page, file, request)
            do {
                try files.write(try page.json, to: .page)
            } catch {
                throw MessagesRefusal(.notSaved, "the disk did not take it")
            }
            return MessagesReply(
                "\(page.address) has taken a test message, and learns when an adhan is not heard")
        case .test:
            let page = try savedPage()
            try send(page, try file(beside: page), request)
            return MessagesReply("\(page.address) has taken a test message")
        case .remove:
            guard files.hasPage else { throw Self.nothing }
            files.remove(.page)
            guard !files.hasPage else { throw MessagesRefusal(.notSaved, "the disk did not take it") }
            return MessagesReply("the address was removed")
        }
    }

    // MARK: A fleet that was left

    /// Microseconds between two checks of the service.
    private static let lookMicroseconds: UInt32 = 100_000

    private func forgetFleet(_ user: UInt32?) throws(MessagesRefusal) -> MessagesReply {
        guard FleetForgetting.mayAsk(user: user, own: geteuid()) else {
            throw MessagesRefusal(.notPermitted, "only root has this box forget its fleet")
        }
        let membership = membership
        let end = MonotonicClock.now() + FleetForgetting.farewellSeconds
        while true {
            let verdict = FleetForgetting.verdict(
                membership, isServiceConnected: isServiceConnected, isOver: MonotonicClock.now() >= end)
            switch verdict {
            case .wait: usleep(Self.lookMicroseconds)
            case .refuse(let refusal):
                throw MessagesRefusal(
                    refusal,
                    refusal == .member
                        ? "adhand belongs to a fleet, so that its password stays"
                        : "the service has not left the broker of the fleet yet")
            case .forget:
                // The password is removed last: if this is interrupted, its presence shows the next attempt that work is left.
                files.remove(.fleet)
                files.remove(.membership)
                guard !files.isThere(.membership) else {
                    throw MessagesRefusal(.notSaved, "the disk did not take it")
                }
                return MessagesReply("the fleet is forgotten")
            }
        }
    }

    private var membership: FleetForgetting.Membership {
        do throws(ControlClientError) {
            return try adhand.fleet() == nil ? .none : .member
        } catch {
            return .unanswered
        }
    }

    /// Whether the service is connected, according to its status file. An unreadable file counts as a connection.
    private var isServiceConnected: Bool {
        guard (try? files.isLocked()) ?? true else { return false }
        guard let bytes = try? files.read(.status) else { return true }
        guard !bytes.isEmpty else { return false }
        guard let status = try? JSON.decode(BridgeStatus.self, from: bytes) else { return true }
        return status.fleet != nil
    }

    // MARK: The phone page's address

    private static let nothing = MessagesRefusal(.nothing, "no address was set here")

    private func savedPage() throws(MessagesRefusal) -> PageAlert {
        let page: PageAlert?
        do throws(FileError) {
            page = try files.page()
        } catch {
            throw MessagesRefusal(.notSaved, error.reason)
        }
        guard let page else { throw Self.nothing }
        return page
    }

    private func send(
        _ page: PageAlert, _ file: BridgeFile, _ request: MessagesRequest
    ) throws(MessagesRefusal) {
        let place = request.place.map { PlainText.visible(String($0.prefix(Self.longestPlace))) }
        let name = file.config.name ?? place ?? box
        let message = AlertMessage.trial(box: box, name: name, at: WallClock.now(), zone: .utc)
        let destination = BridgeFile.Destination(settings: page.destination, url: page.address, headers: [])
        let (outcome, detail) = Delivery.attempt(message, destination, zone: .utc)
        guard outcome == .delivered else { throw MessagesRefusal(.undelivered, detail) }
    }

    private func file(beside page: PageAlert?) throws(MessagesRefusal) -> BridgeFile {
        do throws(BridgeError) {
            return try BridgeFile.read(config, beside: page, isNeeded: false)
        } catch {
            throw MessagesRefusal(.configuration, error.message)
        }
    }

    /// Waits for the lock under which one message is sent at a time.
    private func turn() throws(MessagesRefusal) -> LockFile {
        do throws(FileError) {
            try files.make()
            let path = "\(files.folder)/messages.lock"
            if let lock = try LockFile.acquire(path, patienceSeconds: Self.turnSeconds) { return lock }
        } catch {
            throw MessagesRefusal(.notSaved, error.reason)
        }
        throw MessagesRefusal(.busy, "another message is being sent; try again in a moment")
    }

    /// The answer with the current settings, as far as they can be read.
    private func completed(_ reply: MessagesReply) -> MessagesReply {
        var reply = reply
        reply.isRunning = (try? files.isLocked()) ?? false
        reply.address = (try? files.page())?.address
        reply.others = (try? file(beside: nil))?.config.destinations.map(\.name) ?? []
        return reply
    }
}

/// A request of the phone page that is refused, with the reply.
private struct MessagesRefusal: Error {
    let reply: MessagesReply

    init(_ refusal: MessagesReply.Refusal, _ message: String) {
        reply = MessagesReply(message, error: refusal)
    }
}
