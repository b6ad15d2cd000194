import Glibc
import Testing

@testable import Host

@Suite("Processes that left their group")
struct OrphansTests {
    private func relative(_ stat: String) -> Orphans.Relative? { Orphans.Relative(7, stat) }

    @Test("A line of /proc is read also where the name has brackets and blanks")
    func lines() throws {
        let rest = "S 42 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1"
        let plain = try #require(relative("7 (sleep) \(rest)"))
        #expect(plain.parent == 42 && plain.bornTicks == 98765 && !plain.isDead)
        #expect(relative("7 (a) Z 1 (b) \(rest)") == plain)
        #expect(relative("7 (sleep) \(rest.replacing("S", with: "Z"))")?.isDead == true)
    }

    @Test(
        "What is no such line is nobody", arguments: ["", "7 (sleep", "7 (sleep) S", "7 (sleep) S x 1", ")"])
    func noLines(stat: String) { #expect(relative(stat) == nil) }

    @Test("This process is one, and its parent is alive")
    func own() throws {
        let own = try #require(Orphans.Relative.read(getpid()))
        #expect(own.parent == getppid() && own.bornTicks > 0 && Orphans.Relative.read(-1) == nil)
    }

    /// The tests start processes besides, which are no orphans.
    @Test("A process that adopts nothing ends nobody")
    func none() throws {
        Orphans.endAll(ofKilled: [])
        Orphans.bury()
        #expect(Orphans.starting { 1 } == 1)
    }
}
