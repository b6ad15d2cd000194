import Foundation

/// The clock that the tests themselves run by (Tests/clocks.sh), for the programs that they start with an environment of their own.
public enum TestClock {
    /// Empty where the tests run by the machine's clock.
    public static let environment = ProcessInfo.processInfo.environment.filter {
        ["LD_PRELOAD", "CLOCK_AHEAD"].contains($0.key)
    }

    /// `variables` with that clock; a library of the lab that they name is loaded beside the clock's.
    public static func under(_ variables: [String: String]) -> [String: String] {
        environment.merging(variables) { clock, own in
            clock == own || Int(clock) != nil ? own : "\(own):\(clock)"
        }
    }
}
