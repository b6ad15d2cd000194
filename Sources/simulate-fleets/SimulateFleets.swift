import ArgumentParser
import Dispatch
import FleetSimulator
import Glibc
import Synchronization

/// `make simulate-fleets`: tries to have the watcher page somebody in vain, or nobody, and a roll-out give a change to the wrong boxes.
@main
struct SimulateFleets: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-fleets",
        abstract:
            "Runs the watcher and the roll-outs of a fleet through simulated faults, beside oracles that know who was heard and who has what."
    )

    @Option(help: "How many fleets.")
    var fleets = 1000

    @Option(help: "Boxes of each.")
    var boxes = 200

    @Option(help: "Days that each lives.")
    var days = 30

    @Option(help: "The first seed; with --fleets 1 it reruns one.")
    var first: UInt64 = 1

    private struct Total {
        var adhans = 0
        var silent = 0
        var outages = 0
        var masses = 0
        var pages: [String: Int] = [:]
        var rollouts = RolloutWorld.Report()
        var failures: [(seed: UInt64, sentence: String)] = []
    }

    func run() throws {
        let total = Mutex(Total())
        let next = Atomic(0)
        let group = DispatchGroup()
        let (fleets, boxes, days, first) = (fleets, boxes, days, first)
        for worker in 0..<max(1, min(fleets, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
            DispatchQueue(label: "simulate-fleets.\(worker)").async(group: group) {
                while true {
                    let number = next.add(1, ordering: .relaxed).oldValue
                    guard number < fleets else { return }
                    let seed = first + UInt64(number)
                    var world = FleetWorld(seed: seed, boxes: boxes, days: days)
                    let report = world.run()
                    var rolling = RolloutWorld(seed: seed, boxes: boxes, days: days)
                    let rolled = rolling.run()
                    total.withLock { total in
                        total.rollouts.add(rolled)
                        if let violation = rolled.violation { total.failures.append((seed, violation)) }
                        total.adhans += report.adhans
                        total.silent += report.silent
                        total.outages += report.outages
                        total.masses += report.masses
                        for (name, count) in report.pages { total.pages[name, default: 0] += count }
                        if let violation = report.violation { total.failures.append((seed, violation)) }
                    }
                }
            }
        }
        group.wait()
        let sum = total.withLock { $0 }
        print(
            "\(fleets) fleets of \(boxes) boxes, \(days) days: \(sum.adhans) adhans, \(sum.silent) of them silent,"
        )
        print("\(sum.outages) outages of single boxes or many, \(sum.masses) times many at once")
        for (name, count) in sum.pages.sorted(by: { $0.key < $1.key }) { print("  \(count)\t\(name)") }
        let rolled = sum.rollouts
        print(
            "\(rolled.rollouts) roll-outs, \(rolled.done) of them done and \(rolled.stopped) stopped by themselves; \(rolled.published) published, \(rolled.withdrawn) withdrawn,"
        )
        print("\(rolled.restarts) restarts of the watch, \(rolled.lostBrokers) losses of the broker")
        guard !sum.failures.isEmpty else {
            print("nobody was paged in vain, and somebody whenever it was due")
            return print("each box has what it was given, and no other one")
        }
        for failure in sum.failures.prefix(20) { print("seed \(failure.seed): \(failure.sentence)") }
        throw ExitCode.failure
    }
}
