internal import ControlClient
internal import Glibc
internal import Host
internal import PhoneRules
internal import Places
internal import PrayerEngine
internal import Protocol
internal import Texts
internal import Times

/// The set-up: keeps the answers until the last one, and saves them as one change.
extension Responder {
    /// Percent: loud enough to be heard, but not frightening.
    private static let toneVolume = 50
    /// Slightly longer than the longest tone.
    private static let toneSeconds = 5.0

    /// - Parameter language: the code of the page's language.
    func setUp(
        _ act: Act?, _ form: Form, _ admission: RequestRules.Admission, language: String
    ) throws(RemoteRefusal) -> ActOutcome {
        guard let phone = admission.phone else { throw RemoteRefusal(status: 401, .unpaired) }
        var draft = memory.setup(of: phone.id)
        switch act {
        case .setup("again", _): draft = PhoneSetupDraft()
        case .setup("loudspeaker-alone", _): draft = .loudspeakerAlone
        case .setup("back", _): draft.goBack()
        case .setup(let name, _):
            guard let step = PhoneSetupDraft.Step(rawValue: name) else {
                throw RemoteRefusal(FieldRefusal("step", .unknown))
            }
            do throws(FieldRefusal) {
                try draft.answer(step, form) { .embedded }
            } catch {
                throw RemoteRefusal(error)
            }
            try tryOut(draft.changes(of: step), admission)
            if step == .loudspeaker, let device = draft.asked {
                try FactsReader.ask { () throws(ControlClientError) in
                    try play(on: device, as: admission.claim)
                }
            }
            if step == .done {
                if let result = draft.result { return ActOutcome("The answers were saved before.", result) }
                return try save(draft, phone, admission, language: language)
            }
        case .heard(let device, let isHeard):
            do throws(FieldRefusal) {
                try draft.answerTone(device, isHeard)
            } catch {
                throw RemoteRefusal(error)
            }
            try tryOut(draft.changes(of: .loudspeaker), admission)
        default: throw RemoteRefusal(status: 404, .path)
        }
        memory.keep(setup: draft, of: phone.id)
        var performed = ActOutcome("The answer is kept; nothing is in force before all is saved.", .done)
        performed.step = draft.step
        return performed
    }

    /// Tries the answer to one question, so that a pinned key or a volume above the maximum is refused at once and not at the
    /// end. Only the end can check whether the place, method and times fit together.
    private func tryOut(
        _ changeSet: SettingsChangeSet, _ admission: RequestRules.Admission
    ) throws(RemoteRefusal) {
        guard !changeSet.changes.isEmpty else { return }
        do throws(ControlClientError) {
            _ = try adhand.set(changeSet, as: admission.claim, dryRun: true)
        } catch {
            var refusal = RemoteRefusal(error)
            let isOfWhole = refusal.field.map { PhoneSetupDraft.isOfWhole($0.field) } ?? false
            guard refusal.status >= 500 || !isOfWhole else { return }
            if let key = refusal.field?.field ?? refusal.key {
                refusal.field = FieldRefusal(
                    PhoneSetupDraft.field(of: key), .refused, reason: refusal.field?.reason)
                refusal.key = key
            }
            throw refusal
        }
    }

    /// Plays a tone for the question "do you hear it?". After a quick "no" the next tone waits until the current one ends.
    private func play(on device: String, as claim: CallerClaim) throws(ControlClientError) {
        let end = MonotonicClock.now() + Self.toneSeconds
        while true {
            do throws(ControlClientError) {
                if device.isEmpty {
                    try adhand.playSignal(as: claim)
                } else {
                    try adhand.test(device, volume: Self.toneVolume, as: claim)
                }
                return
            } catch {
                guard case .refused(.busy) = error, MonotonicClock.now() < end else { throw error }
                usleep(100_000)
            }
        }
    }

    /// Saves the answers. The result does not mention another try of the loudspeaker, which the person has just heard.
    private func save(
        _ draft: PhoneSetupDraft, _ phone: Phone, _ admission: RequestRules.Admission, language: String
    ) throws(RemoteRefusal) -> ActOutcome {
        var changes = draft.changes.changes
        guard !changes.isEmpty else {
            memory.keep(setup: .over(.unchanged), of: phone.id)
            return ActOutcome("Nothing was changed.", .unchanged)
        }
        // If adhand does not answer, the other settings are saved and the screen keeps its language.
        if !draft.isOfLoudspeaker, let screen = try? reader.screenLanguage().change(to: language) {
            changes.append(screen)
        }
        let changeSet = SettingsChangeSet(changes)
        let reply = try FactsReader.ask { () throws(ControlClientError) in
            try adhand.set(changeSet, as: admission.claim)
        }
        memory.keep(setup: .over(.saved), of: phone.id)
        // The page before has shown the answers; listing all keys would hide the next step.
        var performed = ActOutcome(reply.message, .saved)
        (performed.change, performed.canBeUndone) = (reply.change, true)
        (performed.problems, performed.isSilent) = (reply.problems, reply.silent == true)
        return performed
    }
}

extension FactsReader {
    func setup(_ admission: RequestRules.Admission) throws(RemoteRefusal) -> SetupFacts {
        let draft = admission.phone.map { memory.setup(of: $0.id) } ?? PhoneSetupDraft()
        var devices: [SoundFacts.Device] = []
        let outputs = [.loudspeaker, .done].contains(draft.step) ? try self.status().audio.outputs ?? [] : []
        if draft.step == .loudspeaker, draft.asked == nil, outputs.isEmpty {
            devices = try Self.ask { () throws(ControlClientError) in try adhand.devices() }
            memory.keep(deviceTexts: SetupFacts.texts(devices))
        }
        let reply = try Self.ask { () throws(ControlClientError) in try adhand.settings("adhan") }
        let volumes = SetupVolumes(reply)
        let times = draft.step == .done ? times(draft, volumes, on: String(try status().now.prefix(10))) : []
        var facts = SetupFacts(
            draft, devices: devices, deviceTexts: memory.deviceTexts, volume: volumes.shared, times: times,
            outputs: outputs.map(\.name))
        facts.offersNetwork = admission.entryPoint == .setUp
        if draft.step == .done, !draft.isOfLoudspeaker { facts.screen = try screenLanguage() }
        return facts
    }

    func screenLanguage() throws(RemoteRefusal) -> ScreenLanguage {
        let reply = try Self.ask { () throws(ControlClientError) in
            try adhand.settings(ScreenLanguage.key)
        }
        return ScreenLanguage(reply)
    }

    /// The day's times with the answers in force.
    private func times(_ draft: PhoneSetupDraft, _ volumes: SetupVolumes, on day: String) -> [SetupFacts.Time]
    {
        guard let config = draft.config, let date = CivilDate(day),
            let site = try? ResolvedSite(config, ZoneFiles(in: .process), kept: nil, isMeant: true).site,
            let day = TimesDocument(site: site, dates: [date]).days.first
        else { return [] }
        return ["fajr", "dhuhr", "asr", "maghrib", "isha"].compactMap { prayer in
            day.events[prayer]?.wrappedValue.map {
                SetupFacts.Time(
                    prayer, LocalText.minute($0), volume: volumes.volume(of: prayer, all: draft.volume))
            }
        }
    }

    func health() throws(RemoteRefusal) -> HealthFacts {
        HealthFacts(try Self.ask { () throws(ControlClientError) in try adhand.health() })
    }
}
