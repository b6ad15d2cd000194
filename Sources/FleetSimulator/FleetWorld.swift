import Envelope
import FleetPlan
import PrayerEngine
import SeededRandom

/// A fleet that lives through days of faults beside a watcher, an Alertmanager that pages people, and an oracle that knows the truth.
package struct FleetWorld {
    package struct Report: Sendable {
        package var adhans = 0
        package var silent = 0
        package var pages: [String: Int] = [:]
        package var outages = 0
        package var masses = 0
        /// The first that was wrong; `nil`: nothing.
        package var violation: String?
    }

    static let epoch = 1_798_761_600.0
    static func wall(_ at: Double) -> Instant { Instant(unixSeconds: epoch + at) }
    static let stepSeconds = 10.0
    /// Alertmanager forgets an alarm that nobody posts again (`resolve_timeout`, as `init` writes it).
    static let forgottenSeconds = 600.0

    /// Everybody at once.
    private struct MassOutage {
        let from: Double
        var to: Double
        let count: Int
    }

    private var random: SplitMix64
    private let days: Int
    private var now = 0.0
    private var boxes: [SimulatedBox] = []
    private var index: [String: Int] = [:]
    private var watch: FleetWatch?
    private var retained: [String: [ReportTopic: ReadReport]] = [:]
    private var isBrokerUp = true
    private var brokerUpAt: Double?
    private var watchUpAt: Double?
    private var watchConnectAt: Double?
    /// While broker or watcher are away, and for a while afterwards, a page may come late.
    private var disturbedUntil = 0.0
    private var disturbances: [(from: Double, to: Double)] = []
    private var massOutage: MassOutage?
    private var massOutages: [MassOutage] = []
    /// Alarms of the Alertmanager: by identity, when it was last posted.
    private var active: [AlertIdentity: Double] = [:]
    private var paged: [AlertIdentity: [Double]] = [:]
    private var silences: [(number: Int, id: String, due: Double)] = []
    private var report = Report()
    private let isCalm: Bool

    /// - Parameter isCalm: without masses, restarts and outages, so that only silent boxes remain.
    package init(seed: UInt64, boxes count: Int, days: Int, isCalm: Bool = false) {
        random = SplitMix64(seed: seed)
        self.days = days
        self.isCalm = isCalm
        let towns = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            Double.random(in: 0..<3600, using: &random).rounded()
        }
        for number in 0..<count {
            let beat = Double.random(in: 0..<1, using: &random) < 0.9 ? 60.0 : 600
            var box = SimulatedBox(
                name: "b\(number)", beat: beat, town: towns.randomElement(using: &random) ?? 0,
                phase: Double.random(in: 0..<beat, using: &random))
            box.connectAt = Double.random(in: 0..<30, using: &random)
            index[box.name] = number
            boxes.append(box)
        }
        watchUpAt = 5
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    private mutating func some(_ range: Range<Double>) -> Double { Double.random(in: range, using: &random) }

    package mutating func run() -> Report {
        let end = Double(days) * 86_400
        while now < end, report.violation == nil {
            if now.truncatingRemainder(dividingBy: 60) == 0 { breakSomething() }
            moveServers()
            for number in boxes.indices where boxes[number].wakeAt < now + Self.stepSeconds { step(number) }
            now += Self.stepSeconds
            look()
        }
        if report.violation == nil { judgeOutages() }
        return report
    }

    private mutating func fail(_ sentence: String) {
        if report.violation == nil { report.violation = "at \(Int(now)) s: \(sentence)" }
    }

    // MARK: Faults

    private static let minutesOfDay = 1440.0

    private mutating func breakSomething() {
        guard !isCalm, now > 600 else { return }
        let aDay = 1 / Self.minutesOfDay
        if isBrokerUp, watch != nil, chance(0.4 * aDay) { stopBroker(isOrderly: chance(0.5)) }
        if watch != nil, isBrokerUp, chance(0.4 * aDay) { stopWatch() }
        if massOutage == nil, now > disturbedUntil, chance(0.15 * aDay) { breakMany() }
        for _ in 0..<1 where chance(Double(boxes.count) * 0.08 * aDay) {
            let number = Int.random(in: 0..<boxes.count, using: &random)
            let lasts = chance(0.5) ? some(20..<900) : some(900..<30_000)
            breakOne(number, seconds: lasts, isPower: chance(0.4), isMass: false)
        }
    }

    private mutating func breakOne(_ number: Int, seconds: Double, isPower: Bool, isMass: Bool) {
        guard boxes[number].outage == nil else { return }
        report.outages += 1
        boxes[number].outage = .init(from: now, to: now + seconds, isPower: isPower, isMass: isMass)
        if boxes[number].isConnected { boxes[number].willAt = now + SimulatedBox.willSeconds }
        disconnect(number)
        if isPower {
            // A sound that is cut off is reported as such by the next start.
            if let ending = boxes[number].ending, ending.at > now {
                var cut = ending.adhan
                (cut.state, cut.isDeviceAtFault) = (.interrupted, false)
                boxes[number].truth[cut.id]?.truth = .wanted
                tell(number, cut, now)
            }
            (boxes[number].ending, boxes[number].playing) = (nil, nil)
        }
    }

    private mutating func disconnect(_ number: Int) {
        boxes[number].isConnected = false
        boxes[number].connectedSince = nil
        boxes[number].connectAt = nil
    }

    private mutating func breakMany() {
        let share = some(0.3..<1)
        let lasts = some(600..<7200)
        let isPower = chance(0.5)
        var count = 0
        for number in boxes.indices where boxes[number].outage == nil && chance(share) {
            breakOne(number, seconds: lasts + some(0..<60), isPower: isPower, isMass: true)
            count += 1
        }
        massOutage = MassOutage(from: now, to: now + lasts + 60, count: count)
        report.masses += 1
    }

    private mutating func stopBroker(isOrderly: Bool) {
        isBrokerUp = false
        brokerUpAt = now + (chance(0.7) ? some(2..<60) : some(60..<1200))
        for number in boxes.indices where boxes[number].isConnected {
            if isOrderly {
                retained[boxes[number].name]?[.status] = boxes[number].status(isOnline: false, at: now)
            }
            disconnect(number)
        }
        for number in boxes.indices { boxes[number].willAt = nil }
        watch?.brokerLost(at: Self.moment(now))
        disturb(until: brokerUpAt ?? now)
    }

    private mutating func stopWatch() {
        watch = nil
        watchUpAt = now + some(2..<30)
        disturb(until: watchUpAt ?? now)
    }

    private mutating func disturb(until: Double) {
        // Boxes with rare beats are awaited for 25 minutes.
        disturbedUntil = max(disturbedUntil, until + 1600)
        disturbances.append((now, until + 1600))
    }

    private mutating func moveServers() {
        if let at = brokerUpAt, now >= at {
            (isBrokerUp, brokerUpAt) = (true, nil)
            if watch != nil { watchConnectAt = now + some(0..<5) }
            for number in boxes.indices where boxes[number].outage == nil {
                boxes[number].connectAt = now + some(0..<48) + some(0..<10)
            }
        }
        if let at = watchUpAt, now >= at, isBrokerUp {
            watchUpAt = nil
            watch = FleetWatch(org: "noor", WatchSettings(), at: Self.moment(now))
            watchConnectAt = now
        }
        if let at = watchConnectAt, now >= at, isBrokerUp {
            watchConnectAt = nil
            watch?.brokerConnected(at: Self.moment(now))
            for (name, topics) in retained {
                for report in topics.values {
                    watch?.receive(report, from: name, isRetained: true, at: Self.moment(now))
                }
            }
        }
        if let mass = massOutage, now > mass.to + 300 {
            massOutages.append(mass)
            massOutage = nil
        }
    }

    private static func moment(_ at: Double) -> Moment { Moment(wall: wall(at), uptime: at + 1000) }

    // MARK: Boxes

    private mutating func publish(_ number: Int, _ topic: ReportTopic, _ report: ReadReport, at: Double) {
        let name = boxes[number].name
        if topic.isRetained { retained[name, default: [:]][topic] = report }
        if watchConnectAt == nil {
            watch?.receive(report, from: name, isRetained: false, at: Self.moment(at))
        }
    }

    private mutating func step(_ number: Int) {
        let limit = now + Self.stepSeconds
        while boxes[number].wakeAt < limit {
            let at = max(now, boxes[number].wakeAt)
            if let outage = boxes[number].outage, outage.to <= at {
                boxes[number].outages.append(outage)
                boxes[number].outage = nil
                // A box that is away for long comes back by a longer pause.
                if isBrokerUp { boxes[number].connectAt = at + some(0..<58) }
            } else if boxes[number].willAt.map({ $0 <= at }) ?? false {
                boxes[number].willAt = nil
                if isBrokerUp {
                    publish(number, .status, boxes[number].status(isOnline: false, at: at), at: at)
                }
            } else if boxes[number].connectAt.map({ $0 <= at }) ?? false {
                connect(number, at)
            } else if let playing = boxes[number].playing, playing.at <= at {
                boxes[number].playing = nil
                tell(number, playing.adhan, at)
            } else if let ending = boxes[number].ending, ending.at <= at {
                boxes[number].ending = nil
                tell(number, ending.adhan, at)
            } else if boxes[number].due(boxes[number].next) <= at {
                call(number, at)
            } else if boxes[number].proofAt.map({ $0 <= at }) ?? false {
                boxes[number].proofAt = nil
                if boxes[number].isConnected { publish(number, .beat, .beat, at: at) }
            } else {
                boxes[number].beatAt += boxes[number].beat
                publish(number, .beat, .beat, at: at)
            }
        }
    }

    private mutating func connect(_ number: Int, _ at: Double) {
        boxes[number].connectAt = nil
        guard isBrokerUp else { return }
        boxes[number].isConnected = true
        boxes[number].connectedSince = at
        boxes[number].willAt = nil
        boxes[number].beatAt = at + some(1..<boxes[number].beat)
        publish(number, .plan, boxes[number].plan(at: at), at: at)
        for (prayer, adhan) in boxes[number].latest { publish(number, .adhan(prayer), .adhan(adhan), at: at) }
        if !boxes[number].backlog.isEmpty {
            publish(number, .backlog, .backlog(boxes[number].backlog), at: at)
            boxes[number].backlog = []
        }
        publish(number, .status, boxes[number].status(isOnline: true, at: at), at: at)
    }

    /// A report of an adhan: now, or when the line is back.
    private mutating func tell(_ number: Int, _ adhan: ReadReport.Adhan, _ at: Double) {
        boxes[number].latest[adhan.prayer] = adhan
        if boxes[number].isConnected {
            publish(number, .adhan(adhan.prayer), .adhan(adhan), at: at)
        } else if adhan.state != .playing {
            boxes[number].backlog = boxes[number].backlog.suffix(99) + [adhan]
        }
    }

    private mutating func call(_ number: Int, _ at: Double) {
        let next = boxes[number].next
        let box = boxes[number]
        let due = box.due(next)
        report.adhans += 1
        boxes[number].next = SimulatedBox.after(next)
        if next.index == SimulatedBox.prayers.count - 1, box.isConnected {
            publish(number, .plan, boxes[number].plan(at: at), at: at)
        }
        boxes[number].proofAt = due + 20
        boxes[number].outage?.dues.append(due)
        let truth: SimulatedBox.Truth
        if box.outage?.isPower == true {
            truth = .missed
            // Its next start says so.
            tell(number, box.adhan(next, .missed, at: at), at)
        } else {
            truth = called(number, next, due)
        }
        boxes[number].truth[box.id(next)] = (truth, due)
        if boxes[number].truth.count > 60 {
            boxes[number].truth = boxes[number].truth.filter { due - $0.value.due < 6 * 86_400 }
        }
    }

    private mutating func called(_ number: Int, _ next: (day: Int, index: Int), _ due: Double)
        -> SimulatedBox.Truth
    {
        let box = boxes[number]
        let dice = some(0..<1)
        func end(_ state: ReadReport.Adhan.State, byDevice: Bool = false, after seconds: Double) {
            boxes[number].ending = (
                due + seconds, box.adhan(next, state, byDevice: byDevice, at: due + seconds)
            )
        }
        boxes[number].playing = nil
        switch dice {
        case ..<0.004:
            report.silent += 1
            boxes[number].ending = nil
            silences.append((number, box.id(next), due))
            return .silent
        case ..<0.006:
            end(.failed, byDevice: true, after: 1)
            return .failed(.failed, byDevice: true)
        case ..<0.008:
            boxes[number].playing = (due + 0.5, box.adhan(next, .playing, at: due))
            end(.interrupted, byDevice: true, after: 60)
            return .failed(.interrupted, byDevice: true)
        case ..<0.02:
            end(
                [.muted, .disabled, .skipped, .quiet, .silent].randomElement(using: &random) ?? .muted,
                after: 0.5)
            return .wanted
        case ..<0.025:
            boxes[number].playing = (due + 0.5, box.adhan(next, .playing, at: due))
            end(.interrupted, after: 30)
            return .wanted
        default:
            boxes[number].playing = (due + some(0..<12), box.adhan(next, .playing, at: due))
            end(dice < 0.03 ? .partial : .played, after: some(120..<240))
            return .heard
        }
    }

    // MARK: The oracle

    private mutating func look() {
        guard var watch else { return }
        let posts = watch.look(at: Self.moment(now))
        self.watch = watch
        for post in posts {
            guard post.endsAt == nil else {
                active[post.identity] = nil
                continue
            }
            let isKnown = active[post.identity].map { now - $0 < Self.forgottenSeconds } ?? false
            active[post.identity] = now
            if !isKnown { page(post.identity) }
        }
        judgeSilence()
    }

    private mutating func page(_ identity: AlertIdentity) {
        report.pages[identity.name.rawValue, default: 0] += 1
        paged[identity, default: []].append(now)
        let box = index[identity.box].map { boxes[$0] }
        switch identity.name {
        case .adhanSilent:
            if box?.truth[identity.subject]?.truth != .silent {
                fail(
                    "\(identity.box) is paged as silent at \(identity.subject), which was \(String(describing: box?.truth[identity.subject]))"
                )
            }
        case .adhanFailed:
            switch box?.truth[identity.subject]?.truth {
            case .failed, .missed: break
            case let truth:
                fail(
                    "\(identity.box) is paged as failed at \(identity.subject), which was \(String(describing: truth))"
                )
            }
            if case .missed = box?.truth[identity.subject]?.truth, let box,
                let outage = (box.outages + [box.outage].compactMap(\.self)).last(where: {
                    $0.dues.contains(box.truth[identity.subject]?.due ?? -1)
                }), !isDisturbed(outage.from, now),
                outage.isMass || !(paged[AlertIdentity.dead(box.name)] ?? []).allSatisfy({ $0 < outage.from })
            {
                fail(
                    "\(identity.box) is paged again for \(identity.subject), which it missed while it was known to be away"
                )
            }
        case .boxDead:
            guard let outage = box?.outage, now - outage.from >= 60, !outage.dues.isEmpty else {
                return fail("\(identity.box) is paged as dead, and is not")
            }
            let before = (paged[identity] ?? []).filter { $0 > outage.from }.count
            if before > 1 { fail("\(identity.box) is paged twice for one dead line") }
        case .fleetOffline:
            let away = boxes.count { box in
                box.outage != nil || box.outages.last.map { now - $0.to < 900 } ?? false
                    || box.truth.values.contains { $0.truth == .silent && now - $0.due < 900 }
            }
            if away < FleetWatch.leastMass {
                fail("the fleet is paged as offline, and \(away) boxes are away")
            }
            if let mass = massOutage, (paged[identity] ?? []).filter({ $0 > mass.from }).count > 1 {
                fail("many boxes that are away at once are paged twice")
            }
        case .brokerDown:
            if isBrokerUp { fail("the broker is paged as away, and is there") }
        case .boxProblem, .boxPlanEnds, .boxCloned, .rolloutStopped, .changeConflict, .fileDamaged:
            fail("\(identity.name.rawValue) is paged for \(identity.box)")
        }
    }

    /// The Alertmanager knows things that a watcher which has just begun does not.
    private func isDisturbed(_ from: Double, _ to: Double) -> Bool {
        disturbances.contains { $0.from < to && $0.to > from }
    }

    /// Every box that was silent has been paged within 90 s, where broker, watcher and line were there.
    private mutating func judgeSilence() {
        while let first = silences.first, now - first.due > 90 {
            silences.removeFirst()
            let box = boxes[first.number]
            guard box.outage == nil, let since = box.connectedSince, first.due - since > 60,
                !isDisturbed(first.due - 60, now), watch?.isCrowd == false, massOutage == nil
            else { continue }
            if paged[AlertIdentity.silent(box.name, first.id)] == nil {
                fail("\(box.name) was silent at \(first.id), and nobody was paged within 90 s")
            }
        }
    }

    /// Every long outage with an adhan in it was paged.
    private mutating func judgeOutages() {
        for mass in massOutages
        where mass.count >= max(FleetWatch.leastMass, boxes.count / 10) && !isDisturbed(mass.from, mass.to) {
            let pages = (paged[AlertIdentity.offline] ?? []).count { $0 > mass.from && $0 < mass.to + 300 }
            if pages != 1 {
                fail("\(mass.count) boxes were away at once, and people were paged \(pages) times")
            }
        }
        for box in boxes {
            for outage in box.outages where !outage.isMass && !isDisturbed(outage.from - 60, outage.to) {
                guard
                    !massOutages.contains(where: { $0.from < outage.to + 900 && $0.to > outage.from - 900 }),
                    let due = outage.dues.first(where: { outage.to - $0 > 120 }),
                    outage.to - outage.from > 900,
                    // The last sign of life may be a beat before the line was cut.
                    due > outage.from
                else { continue }
                let names = [AlertIdentity.dead(box.name), AlertIdentity.offline]
                let isSilent = paged.keys.contains { $0.name == .adhanSilent && $0.box == box.name }
                let isPaged = names.contains { name in
                    (paged[name] ?? []).contains { $0 > outage.from && $0 <= outage.to + 60 }
                }
                if !isPaged, !isSilent {
                    fail(
                        "\(box.name) was away from \(Int(outage.from)) to \(Int(outage.to)) s, and nobody was paged"
                    )
                }
            }
        }
    }
}
