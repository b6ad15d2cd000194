import DisplayFeed
import Host
import PrayerEngine
import Protocol

/// The inputs that the poller keeps between two polls of adhand and the slides.
struct PollInputs {
    var daemon: DaemonAnswers?
    /// The last answer about settings made by command, which stays in use while adhand is away.
    var settings: [SettingDocument] = []
    /// The documents with these settings; `nil` while there are none.
    var documents: PageDocuments?
    var lostSince: Instant?
    var silentSince: Instant?
    var slides = SlideFolder.Found()
    var nextRefresh = 0.0
    var nextSlides = 0.0
    var isDirty = false
    private var lead: Double?

    /// Makes every poll due if the wall clock was set or the machine slept since the last call.
    mutating func checkClock() {
        let now = WallClock.now().unixSeconds - MonotonicClock.now()
        if let lead, abs(lead - now) > 1 { nextRefresh = 0 }
        lead = now
    }
}
