import DisplayFeed
import Host
import PrayerEngine
import Protocol

/// The inputs that the poller keeps between its looks at adhand and at the slides.
struct PollInputs {
    var daemon: DaemonAnswers?
    /// The last answer about settings made by command: it holds while adhand is away.
    var settings: [SettingDocument] = []
    /// The inputs with these settings; `nil` while there are none.
    var documents: PageDocuments?
    var lostSince: Instant?
    var silentSince: Instant?
    var slides = SlideFolder.Found()
    var nextRefresh = 0.0
    var nextSlides = 0.0
    var isDirty = false
    private var lead: Double?

    /// Makes everything due again if the wall clock was set, or the machine slept, since the last time.
    mutating func lookAtClock() {
        let now = WallClock.now().unixSeconds - WallClock.monotonic()
        if let lead, abs(lead - now) > 1 { nextRefresh = 0 }
        lead = now
    }
}
