import PrayerEngine
import ScreenPlan
import Testing
import Texts

@Suite("The display's own session")
struct KioskTests {
    @Test(
        "A page is given up after a minute in which it was not heard, and never while nobody can say whether it lives"
    )
    func watch() {
        var watch = PageWatch(startedAt: 0)
        /// Asked every five seconds; when it was given up.
        func death(_ answer: PageWatch.Answer, _ from: Double, _ until: Double) -> Double? {
            stride(from: from, to: until, by: 5).first { watch.isDead(answer, at: $0) }
        }
        // Starting up.
        #expect(death(.silent, 5, 60) == nil)
        #expect(death(.alive, 58, 60) == nil)
        // The server is stopped for an hour, and does not know the page when it is back.
        #expect(death(.unknown, 60, 3660) == nil)
        #expect(death(.silent, 3660, 3680) == nil)
        #expect(death(.alive, 3680, 3685) == nil)
        // "Aw, Snap!"
        #expect(death(.silent, 3685, 4000) == 3715)
    }

    @Test("The television is switched once when the night begins and once when it ends")
    func television() {
        var screen = ScreenSwitch()
        let results = [.home, .night, .night, nil, .night, .home, .adhan, .night].map { screen.change($0) }
        #expect(results == [true, false, nil, nil, nil, true, nil, false])
        // Started in the middle of the night it leaves it as it is, and wakes it in the morning.
        var late = ScreenSwitch()
        let morning = [Scene.Kind.night, .night, .home].map { late.change($0) }
        #expect(morning == [nil, nil, true])
    }

    @Test("Visitors read that something is wrong, and nothing about the machine")
    func visitors() {
        let at = Instant(unixSeconds: 1_800_000_000)
        for kind in Alert.Kind.allCases {
            let visible = Alert(kind, prayer: .fajr, at: at, text: "hw:CARD=secret").forVisitors
            switch kind {
            case .configuration, .state, .internalProblem, .stateLoss, .timetable, .slides, .screen:
                #expect(visible == nil)
            // The name of a town, and that of a room.
            case .approximate, .noSoundIn: #expect(visible?.text != nil)
            default: #expect(visible == Alert(kind, prayer: .fajr, at: at))
            }
        }
    }
}
