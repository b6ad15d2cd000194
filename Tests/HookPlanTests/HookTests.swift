import PrayerEngine
import Testing

@testable import HookPlan
@testable import Protocol

@Suite("Hooks")
struct HookTests {
    private func world(_ hooks: [HookSettings]) -> HookWorld {
        var world = HookWorld()
        world.handle(.configured(HookWorld.config(hooks)))
        world.handle(.followed)
        world.answer([])
        return world
    }

    @Test("Each event has its hooks, once, also when adhand was away and tells it again")
    func once() {
        var world = world([HookWorld.hook("all", HookEvent.allCases), HookWorld.hook("end", [.finished])])
        for _ in 0..<3 {
            world.handle(.event(world.entry(.prayerCued, due: 10)))
            world.handle(.event(world.entry(.prayerStarted, due: 10)))
            world.handle(.lost)
            world.handle(.followed)
            for run in world.runs { world.handle(.ended(run: run.number)) }
        }
        world.handle(.event(world.entry(.prayerFinished, due: 10, cause: .end)))
        #expect(world.runs.map(\.document.event_type) == [.preroll, .started, .finished, .finished])
        #expect(
            world.runs.map(\.name) == ["all", "all", "end", "all"]
                || world.runs.map(\.name) == ["all", "all", "all", "end"])
    }

    @Test("A call that was let go and is cued again has its events again")
    func again() {
        var world = world([HookWorld.hook("all", [.preroll, .muted])])
        for kind in [Notice.Kind.prayerCued, .prayerReleased, .prayerCued] {
            world.handle(.event(world.entry(kind, due: 10, cause: kind == .prayerReleased ? .mute : nil)))
            for run in world.runs { world.handle(.ended(run: run.number)) }
        }
        #expect(world.runs.map(\.document.event_type) == [.preroll, .muted, .preroll])
    }

    @Test("One run of a hook at once, four events wait, the next is dropped and told; eight run of all")
    func bounds() {
        var world = world([HookWorld.hook("slow", [.muteChanged])])
        for _ in 0..<7 {
            world.uptime += 1
            world.handle(.event(world.entry(.muteChanged, nil)))
        }
        #expect(world.runs.count == 1)
        #expect(world.effects.filter { $0 == .report(.dropped(hook: "slow", .muteChanged)) }.count == 2)
        for number in 1...5 { world.handle(.ended(run: number)) }
        #expect(world.runs.count == 5)

        var many = self.world((1...12).map { HookWorld.hook("h\($0)", [.started]) })
        many.handle(.event(many.entry(.prayerStarted, due: 10)))
        #expect(many.runs.count == 8)
        many.handle(.ended(run: 3))
        #expect(many.runs.count == 9)
        for run in many.runs { many.handle(.ended(run: run.number)) }
        #expect(Set(many.runs.map(\.name)).count == 12)
    }

    @Test("Upcoming by the lead of each hook, iqama at its instant, neither after a leap nor twice")
    func instants() {
        var world = world([
            HookWorld.hook("early", [.upcoming], lead: 300),
            HookWorld.hook("late", [.upcoming, .iqama], lead: 60),
        ])
        world.handle(.event(world.entry(.planComputed, nil)))
        world.pass(0.2)
        world.answer([
            HookWorld.occasion("asr_20261124", in: 400),
            HookWorld.occasion("iqama_asr_20261124", .iqama, in: 700),
            HookWorld.occasion("isha_20261124", in: 3000),
            HookWorld.occasion("fajr_20261125", in: 400, enabled: false),
        ])
        world.pass(710)
        #expect(world.runs.map(\.name) == ["early", "late"])
        for run in world.runs { world.handle(.ended(run: run.number)) }
        #expect(world.runs.map(\.name) == ["early", "late", "late"])
        #expect(world.runs.map(\.document.event_type) == [.upcoming, .upcoming, .iqama])
        #expect(
            world.runs[0].document.volume == 80 && abs((world.runs[0].document.leadMs ?? 0) - 300_000) < 100)
        // Back and forth again: no event comes twice. Past the next one at once: it was left out.
        world.stepped -= 700
        world.pass(800)
        world.stepped += 3000
        world.pass(10)
        #expect(world.runs.count == 3)
    }

    @Test("The environment has every variable and nothing else; what is unknown is empty")
    func environment() {
        var world = world([HookWorld.hook("a", [.stopped])])
        world.handle(.event(world.entry(.prayerInterrupted, due: -5, cause: .stop)))
        #expect(
            world.runs[0].document.environment == [
                "ADHAND_EVENT=stopped", "ADHAND_ID=asr_20261124", "ADHAND_PRAYER=asr",
                "ADHAND_DUE=\(HookWorld.text(HookWorld.start + -5))", "ADHAND_LEAD_MS=-5000",
                "ADHAND_DURATION_MS=",
                "ADHAND_REASON=", "ADHAND_CAUSE=stop", "ADHAND_VOLUME=80", "ADHAND_PRETENDED=0",
                "ADHAND_PROTOCOL=1",
                "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
            ])
    }

    @Test("A reload forgets what waits for a hook that is gone, and reminders are no house's events")
    func reload() {
        var world = world([HookWorld.hook("a", [.muteChanged, .started])])
        world.handle(.event(world.entry(.reminderStarted, "reminder-10m_asr_20261124")))
        #expect(world.runs.isEmpty)
        world.handle(.event(world.entry(.muteChanged, nil)))
        world.uptime += 1
        world.handle(.event(world.entry(.muteChanged, nil)))
        world.handle(.configured(HookWorld.config([HookWorld.hook("b", [.started])])))
        world.handle(.ended(run: 1))
        #expect(world.runs.count == 1)
    }
}
