internal import ControlClient
internal import Host
internal import PhoneRules
internal import Protocol

/// Reads from adhand the facts that a page shows.
struct FactsReader {
    let adhand: Adhand
    let gatekeeper: Gatekeeper
    let messages: MessagesSocket
    let memory: RemoteMemory

    /// The network's state; `nil` on a machine that is not a flashed box with a radio.
    var network: NetworkDocument? { JoinSocket(in: .process).network }

    /// The page at an address, with facts read now.
    func page(_ name: Route.Name, _ admission: RequestRules.Admission) throws(RemoteRefusal) -> Page {
        switch name {
        case .now:
            // The congregations are optional, so the page is shown without them if this fails.
            let today = try? Self.ask { () throws(ControlClientError) in try adhand.times(days: 1) }.days
                .first
            return .now(NowFacts(try status(), on: today))
        case .pair:
            let isInOwnNetwork = admission.entryPoint == .setUp
            var pair = PairFacts(
                isSecure: admission.isSecure, acceptsWords: gatekeeper.acceptsWords,
                hasJoined: isInOwnNetwork && gatekeeper.isSetUpOpen)
            pair.namesNetwork = isInOwnNetwork && gatekeeper.acceptsHotspotKey
            return .pair(pair)
        case .phones: return .phones(PhonesFacts(phones: gatekeeper.phones))
        case .log:
            let history = try Self.ask { () throws(ControlClientError) in try adhand.history() }
            return .log(LogFacts(history))
        case .health: return .health(try health())
        case .week: return .week(try week())
        case .friday:
            let reply = try settings()
            let facts = SettingsFacts(reply) { $0.hasPrefix("jumua.") }
            return .friday(
                FridayFacts(settings: facts, slots: RowFacts.all(SettingsChangeSet.slotKey, reply)))
        case .ramadan:
            let days = try Self.ask { () throws(ControlClientError) in try adhand.times(days: 2) }.days
            let facts = SettingsFacts(try settings()) {
                $0.hasPrefix("ramadan.") || $0.hasPrefix("eid.") || $0 == RamadanFacts.dayBegins
            }
            var ramadan = RamadanFacts(settings: facts, days, now: try status().now)
            ramadan.hand = memory.handChanges.changes.reversed().filter(\.isOfMonth)
            return .ramadan(ramadan)
        case .announcements:
            let picture = admission.phone.flatMap { memory.picture(of: $0.id) }
            return .announcements(AnnouncementsFacts(try settings(), picture: picture))
        case .sounds:
            let sounds = try Self.ask { () throws(ControlClientError) in try adhand.sounds() }
            return .sounds(SoundsFacts(sounds, SettingsFacts(try settings(), where: SoundsFacts.isChoice)))
        case .timetable:
            let table = try Self.ask { () throws(ControlClientError) in try adhand.timetable() }
            return .timetable(
                TimetableFacts(
                    table: table,
                    pending: memory.timetable.map { TimetableFacts.Pending($0.reply, mark: $0.mark) },
                    canBeUndone: memory.canUndoTimetable))
        case .settings:
            let changes = try Self.ask { () throws(ControlClientError) in try adhand.changes() }
            return .settings(SettingsFacts(try settings(), changes))
        case .setup: return .setup(try setup(admission))
        case .messages: return .messages(MessagesFacts(messages.state(), topic: memory.topic))
        case .network:
            // On a machine that is not a flashed box, someone else manages the network.
            let network = network ?? NetworkDocument(state: .joined)
            var facts = NetworkFacts(network, mayJoin: admission.entryPoint == .setUp)
            if facts.mayJoin, let pairing = memory.pairingAddress {
                let key = admission.phone.flatMap { gatekeeper.carryOver(of: $0) }
                facts.home = NetworkFacts.home(pairing, key: key)
            }
            if facts.mayJoin, admission.phone?.role == .keeper {
                facts.offersSetup = adhand.isUnplaced == true
            }
            return .network(facts)
        default: throw RemoteRefusal(status: 404, .path)
        }
    }

    func status() throws(RemoteRefusal) -> StatusDocument {
        let status = try Self.ask { () throws(ControlClientError) in try adhand.status() }
        gatekeeper.note(day: Adhand.day(of: status))
        return status
    }

    func settings() throws(RemoteRefusal) -> SettingsReply {
        try Self.ask { () throws(ControlClientError) in try adhand.settings() }
    }

    private func week() throws(RemoteRefusal) -> WeekFacts {
        let times = try Self.ask { () throws(ControlClientError) in try adhand.times(days: 7) }
        let exceptions = try Self.ask { () throws(ControlClientError) in try adhand.exceptions() }
        let reply = try settings()
        let rules = SettingsFacts(reply) { $0.hasPrefix("iqama.") && $0.hasSuffix(".at") }
        var week = WeekFacts(
            times, exceptions, settings: rules, changes: RowFacts.all(SettingsChangeSet.iqamaKey, reply))
        week.awaitsPlace = try status().awaiting == .place
        week.hand = memory.handChanges.changes.reversed().filter { !$0.isOfMonth }
        return week
    }

    static func ask<Value>(_ work: () throws(ControlClientError) -> Value) throws(RemoteRefusal) -> Value {
        do throws(ControlClientError) {
            return try work()
        } catch {
            throw RemoteRefusal(error)
        }
    }
}
