import FleetPlan

/// Compares the pages that people received with the truth.
extension FleetWorld {
    /// Alertmanager drops an alarm that is no longer posted after this time (`resolve_timeout`, as `init` writes it).
    private static let forgottenSeconds = 600.0

    mutating func update() {
        guard var watch else { return }
        let posts = watch.advance(to: Self.moment(now))
        self.watch = watch
        var missedBefore = 0
        for post in posts {
            guard post.endsAt == nil else {
                let wasOpen = active.removeValue(forKey: post.identity) != nil
                if wasOpen, post.identity.isOfLostBox, watch.crowd.contains(post.identity.box) {
                    fail("an alarm of \(post.identity.box) ended, and the box is gone or silent with others")
                }
                continue
            }
            let isKnown = active[post.identity].map { now - $0 < Self.forgottenSeconds } ?? false
            active[post.identity] = now
            guard !isKnown else { continue }
            page(post.identity)
            if post.identity.name == .adhanFailed, isMissed(post.identity, before: watchBeganAt) {
                missedBefore += 1
            }
        }
        if missedBefore >= leastMany {
            fail("\(missedBefore) boxes are paged one by one for what they missed before the watch began")
        }
        checkSilence()
        if now.truncatingRemainder(dividingBy: 60) == 0 { checkAlarms(watch) }
    }

    /// Checks that each box that is silent, or was away while an adhan was due, is in one open alarm: its own, or one about
    /// many boxes.
    private mutating func checkAlarms(_ watch: FleetWatch) {
        guard watch.isAssessing(at: Self.moment(now)) else { return }
        var own: [String: Set<AlertName>] = [:]
        for alert in watch.alerts where alert.identity.isOfLostBox {
            own[alert.identity.box, default: []].insert(alert.identity.name)
        }
        for box in boxes {
            guard let watched = watch.boxes[box.name] else { continue }
            let count = (own[box.name]?.count ?? 0) + (watch.crowd.contains(box.name) ? 1 : 0)
            if count > 1 { fail("\(box.name) is in two alarms at once") }
            guard count == 0 else { continue }
            if watched.hasSilence { fail("\(box.name) is silent, and in no open alarm") }
            if let outage = box.outage, now - outage.from > 900, !isDisturbed(outage.from - 60, now),
                outage.dues.contains(where: { now - $0 > 120 })
            {
                fail("\(box.name) is away while an adhan was due, and in no open alarm")
            }
        }
    }

    /// The least number of boxes that share one alarm if they fail at the same time.
    private var leastMany: Int { max(FleetWatch.leastMass, (boxes.count * 5 + 99) / 100) }

    private func isMissed(_ identity: AlertIdentity, before began: Double) -> Bool {
        guard let number = index[identity.box], let adhan = boxes[number].truth[identity.subject] else {
            return false
        }
        return adhan.truth == .missed && adhan.due < began
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
            // A box whose line is back counts as away until it has connected.
            let last = box?.connectedSince == nil ? box?.outages.last : nil
            guard let outage = box?.outage ?? last, now - outage.from >= 60, !outage.dues.isEmpty else {
                return fail("\(identity.box) is paged as dead, and is not")
            }
            let before = (paged[identity] ?? []).filter { $0 > outage.from }.count
            if before > 1 { fail("\(identity.box) is paged twice for one dead line") }
        case .fleetOffline where identity == .missedBefore:
            let missed = boxes.count { box in
                box.truth.values.contains { $0.truth == .missed && $0.due < watchBeganAt }
            }
            if missed < leastMany {
                fail(
                    "people are paged for boxes that missed an adhan before the watch began, and \(missed) have"
                )
            }
        case .fleetOffline:
            let away = boxes.count { box in
                box.outage != nil || box.outages.last.map { now - $0.to < 900 } ?? false
                    || box.truth.values.contains { $0.truth == .silent && now - $0.due < 900 }
            }
            if away < FleetWatch.leastMass {
                fail("the fleet is paged as offline, and \(away) boxes are away")
            }
            // A new watch does not know which alarms people have already received.
            if let mass = massOutage, offlinePages.count(where: { $0 > max(mass.from, watchBeganAt) }) > 1 {
                fail("many boxes that are away at once are paged twice")
            }
        case .brokerDown:
            if isBrokerUp, watchConnectAt == nil { fail("the broker is paged as away, and is there") }
        case .boxProblem, .boxPlanEnds, .boxCloned, .rolloutStopped, .changeConflict, .formerKey,
            .fileDamaged, .archiveEnds:
            fail("\(identity.name.rawValue) is paged for \(identity.box)")
        }
    }

    /// Whether a fault overlaps this time: after a restart the watcher does not know what Alertmanager knows.
    private func isDisturbed(_ from: Double, _ to: Double) -> Bool {
        disturbances.contains { $0.from < to && $0.to > from }
    }

    /// Checks that every silent box was paged within 90 s, provided that broker, watcher and line were working.
    private mutating func checkSilence() {
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

    /// The instants of pages about many boxes at once, of any such alarm.
    private var offlinePages: [Double] {
        paged.filter { $0.key.name == .fleetOffline && $0.key != .missedBefore }.flatMap(\.value)
    }

    /// Checks that every long outage with an adhan in it was paged.
    mutating func checkOutages() {
        for mass in massOutages
        where mass.count >= max(FleetWatch.leastMass, boxes.count / 10) && !isDisturbed(mass.from, mass.to) {
            let pages = offlinePages.count { $0 > mass.from && $0 < mass.to + 300 }
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
                let isSilent = paged.keys.contains { $0.name == .adhanSilent && $0.box == box.name }
                let pages = (paged[.dead(box.name)] ?? []) + offlinePages
                let isPaged = pages.contains { $0 > outage.from && $0 <= outage.to + 60 }
                if !isPaged, !isSilent {
                    fail(
                        "\(box.name) was away from \(Int(outage.from)) to \(Int(outage.to)) s, and nobody was paged"
                    )
                }
            }
        }
    }
}
