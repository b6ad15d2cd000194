import DisplayFeed
import Host
import Languages
import NIOCore
import PrayerEngine
import Protocol
import ScreenPlan
import Texts

/// `/state.json` of every view, for this machine and for others.
struct PageDocuments: Sendable {
    private let page: Page
    let config: DisplayConfig
    /// The settings of each view, by its name.
    private let views: [String: DisplayConfig]
    private let isConfigWrong: Bool
    private let preview: Bool
    private let donation: StateDocument.DonationEntry?

    init(page: Page, config: DisplayConfig, isConfigWrong: Bool, preview: Bool) {
        self.page = page
        self.config = config
        views = Dictionary(
            uniqueKeysWithValues: config.viewNames.compactMap { name in
                config.seen(as: name).map { (name, $0) }
            })
        self.isConfigWrong = isConfigWrong
        self.preview = preview
        donation = DonationCode.entry(config.donation)
    }

    /// A copy with other settings.
    func with(_ config: DisplayConfig) -> PageDocuments {
        PageDocuments(page: page, config: config, isConfigWrong: isConfigWrong, preview: preview)
    }

    func hasView(_ name: String) -> Bool { views[name] != nil }

    func all(_ daemon: DaemonAnswers, _ inputs: PollInputs, now: Instant) -> [StateVariant: ByteBuffer] {
        let display = self.inputs(daemon, inputs, now: now)
        var documents: [StateVariant: ByteBuffer] = [:]
        for variant in audiences {
            documents[variant] = ByteBuffer(bytes: document(display, inputs, variant, now: now))
        }
        return documents
    }

    func one(
        _ daemon: DaemonAnswers, _ inputs: PollInputs, _ variant: StateVariant, now: Instant
    ) -> [UInt8] {
        document(self.inputs(daemon, inputs, now: now), inputs, variant, now: now)
    }

    /// Every variant of the state: each view for this machine and for the network.
    private var audiences: [StateVariant] {
        views.keys.flatMap { [StateVariant(.machine, $0), StateVariant(.network, $0)] }
    }

    private func inputs(_ daemon: DaemonAnswers, _ inputs: PollInputs, now: Instant) -> DisplayInputs {
        var display = daemon.inputs(
            lostSince: inputs.lostSince, silentSince: inputs.silentSince, slides: inputs.slides,
            isScreenWrong: isConfigWrong, isSetUpByPhone: SetUpScreen.isShown(in: .process), now: now)
        display.donation = donation
        return display
    }

    /// The documents before adhand's first answer, in the machine's own zone and without times of prayer.
    func waiting(by zones: ZoneFiles, now: Instant) -> [StateVariant: ByteBuffer] {
        let zone = (try? zones.systemZone()) ?? .utc
        let nothing = DisplayInputs(schedule: Schedule(zone: zone, occasions: []), facts: DisplayFacts())
        var documents: [StateVariant: ByteBuffer] = [:]
        for variant in audiences {
            documents[variant] = ByteBuffer(
                bytes: document(nothing, PollInputs(), variant, now: now, isWaiting: true))
        }
        return documents
    }

    private func document(
        _ display: DisplayInputs, _ inputs: PollInputs, _ variant: StateVariant, now: Instant,
        isWaiting: Bool = false
    ) -> [UInt8] {
        guard let config = views[variant.view] else { return [] }
        var settings = config.page
        settings.background = inputs.slides.background != nil
        settings.backgroundVersion = inputs.slides.background?.version
        settings.logo = inputs.slides.logo?.version
        guard let language = page.languages[config.page.languages.first ?? "en"] ?? page.languages["en"]
        else { return [] }
        var state = StateDocument(
            display, config.display, settings, language: language, now: now, for: variant.audience,
            preview: preview && variant.audience == .machine)
        if variant.audience == .machine {
            state.views = self.config.viewNames
            state.displayView = self.config.displayView
        }
        state.build = page.build
        state.waiting = isWaiting ? true : nil
        return (try? JSON.encode(state)) ?? []
    }
}
