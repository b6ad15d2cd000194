import Envelope
import FleetPlan

/// Faults of boxes, of the broker and of the watcher, and their ends.
extension FleetWorld {
    private static let minutesOfDay = 1440.0

    mutating func breakSomething() {
        guard !isCalm, now > 600 else { return }
        let aDay = 1 / Self.minutesOfDay
        if isBrokerUp, watch != nil, chance(0.4 * aDay) { stopBroker(isOrderly: chance(0.5)) }
        if watch != nil, isBrokerUp, chance(0.4 * aDay) { stopWatch() }
        if massOutage == nil, now > disturbedUntil, chance(0.15 * aDay) { breakMany() }
        if chance(Double(boxes.count) * 0.08 * aDay) {
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
            // The next start reports a sound that was cut off.
            if let ending = boxes[number].ending, ending.at > now {
                var cut = ending.adhan
                (cut.state, cut.isDeviceAtFault) = (.interrupted, false)
                boxes[number].truth[cut.id]?.truth = .wanted
                sendReport(number, cut, now)
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
        // The watch waits 25 minutes for boxes with rare beats.
        disturbedUntil = max(disturbedUntil, until + 1600)
        disturbances.append((now, until + 1600))
    }

    mutating func moveServers() {
        if let at = brokerUpAt, now >= at {
            (isBrokerUp, brokerUpAt) = (true, nil)
            if watch != nil { watchConnectAt = now + some(0..<5) }
            for number in boxes.indices where boxes[number].outage == nil {
                boxes[number].connectAt = now + some(0..<48) + some(0..<10)
            }
        }
        if let at = watchUpAt, now >= at, isBrokerUp {
            watchUpAt = nil
            watchBeganAt = now
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
}
