import Foundation

/// Random cases are the same ones in each run, from fixed seeds. With every change the suites try the first fifth of them, and
/// all under `make random-cases`.
package enum RandomCases {
    private static let hasAll = ProcessInfo.processInfo.environment["ADHAND_ALL_CASES"] != nil

    package static func count(_ all: Int) -> Int { hasAll ? all : all / 5 }
}
