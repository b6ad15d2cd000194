import Envelope
import FleetPlan

/// Simulates boxes that call adhans and report them.
extension FleetWorld {
    private mutating func publish(_ number: Int, _ topic: ReportTopic, _ report: ReceivedReport, at: Double) {
        let name = boxes[number].name
        if topic.isRetained { retained[name, default: [:]][topic] = report }
        if watchConnectAt == nil {
            watch?.receive(report, from: name, isRetained: false, at: Self.moment(at))
        }
    }

    mutating func step(_ number: Int) {
        let limit = now + Self.stepSeconds
        while boxes[number].wakeAt < limit {
            let at = max(now, boxes[number].wakeAt)
            if let outage = boxes[number].outage, outage.to <= at {
                boxes[number].outages.append(outage)
                boxes[number].outage = nil
                // A box that was away for long reconnects after a longer pause.
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
                sendReport(number, playing.adhan, at)
            } else if let ending = boxes[number].ending, ending.at <= at {
                boxes[number].ending = nil
                sendReport(number, ending.adhan, at)
            } else if boxes[number].due(boxes[number].next) <= at {
                call(number, at)
            } else if boxes[number].proofAt.map({ $0 <= at }) ?? false {
                boxes[number].proofAt = nil
                if boxes[number].isConnected { publish(number, .beat, .beat, at: at) }
            } else {
                boxes[number].beatAt += boxes[number].beatSeconds
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
        boxes[number].beatAt = at + some(1..<boxes[number].beatSeconds)
        publish(number, .plan, boxes[number].plan(at: at), at: at)
        for (prayer, adhan) in boxes[number].latest { publish(number, .adhan(prayer), .adhan(adhan), at: at) }
        if !boxes[number].backlog.isEmpty {
            publish(number, .backlog, .backlog(boxes[number].backlog), at: at)
            boxes[number].backlog = []
        }
        publish(number, .status, boxes[number].status(isOnline: true, at: at), at: at)
    }

    /// Sends the report of an adhan now, or once the line is back.
    mutating func sendReport(_ number: Int, _ adhan: ReceivedReport.Adhan, _ at: Double) {
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
            // The box reports this adhan at its next start.
            sendReport(number, box.adhan(next, .missed, at: at), at)
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
        func end(_ state: ReceivedReport.Adhan.State, byDevice: Bool = false, after seconds: Double) {
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
}
