import ArgumentParser
import CommandKit
import Console
import Maintenance
import Places
import PrayerEngine
import Settings
import Texts

/// The answers given on the command line.
struct SetupArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The town, such as \"kuala lumpur\" or \"cordoba, spain\"; or coordinates, or a map's address.",
            valueName: "name"))
    var city: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees, north positive.", valueName: "degrees"))
    var latitude: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees, east positive.", valueName: "degrees"))
    var longitude: String?

    @Option(help: ArgumentHelp("What the place is called (default: the town).", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp("Such as Europe/Berlin (default: the place's).", valueName: "zone"),
        completion: .zones)
    var timezone: String?

    @Option(
        help: ArgumentHelp(
            "One that \"adhanctl methods\" lists (default: the country's).", valueName: "name"),
        completion: .methods)
    var method: String?

    @Option(
        help: ArgumentHelp("standard or hanafi.", valueName: "school"),
        completion: .names(of: AsrSchool.self))
    var asr: String?

    @Option(help: ArgumentHelp("An ALSA device; repeatable, tried in order.", valueName: "name"))
    var device: [String] = []

    @Flag(help: "Save devices, too, that cannot be opened on this machine now.")
    var untested = false

    @Option(parsing: .unconditional, help: ArgumentHelp("0 to 100.", valueName: "percent"))
    var volume: String?

    @Option(
        help: ArgumentHelp(
            "What your mosque publishes: a file, a folder or a zip; keep or remove what is there already.",
            valueName: "path"),
        completion: .file())
    var timetable: String?

    @Option(
        help: ArgumentHelp("keep or remove what was set by hand for the place before.", valueName: "what"),
        completion: .list(KeepOrRemove.allCases.map(\.rawValue)))
    var exceptions: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "When a congregation stands up, such as dhuhr=13:30 or isha=+10m; repeatable.",
            valueName: "prayer=time"))
    var iqama: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Who learns when an adhan is not heard: an ntfy address such as ntfy.sh/our-mosque; none: nobody.",
            valueName: "address"))
    var alert: String?

    var hasPlace: Bool { city != nil || latitude != nil || longitude != nil }

    var isAny: Bool {
        hasPlace || name != nil || timezone != nil || method != nil || asr != nil || volume != nil
            || !device.isEmpty || timetable != nil || exceptions != nil || !iqama.isEmpty || alert != nil
    }

    func validate() throws {
        if city != nil, latitude != nil || longitude != nil {
            throw ValidationError("--city and --latitude with --longitude exclude each other")
        }
        if (latitude == nil) != (longitude == nil) {
            throw ValidationError("--latitude and --longitude go together")
        }
        if untested, device.isEmpty { throw ValidationError("--untested goes with --device") }
        if name != nil, !hasPlace {
            throw ValidationError("--name goes with --city or --latitude and --longitude")
        }
        if let method, method.lowercased() == CalculationSettings.custom {
            throw ValidationError(
                "--method custom has angles, which are written into the configuration by hand")
        }
    }

    /// The answers of the command line, checked by the same rules as the configuration.
    func draft(in inputs: SetupInputs) throws(CommandError) -> SetupDraft {
        var draft = SetupDraft(inputs)
        let checked = try checked()
        if let place = try place(checked, inputs.gazetteer) { draft.move(to: place) }
        draft.timezone = timezone
        if method != nil { draft.method = checked.calculation.method }
        if asr != nil { draft.asr = checked.calculation.asr }
        if !device.isEmpty {
            guard inputs.config.outputs.isEmpty else {
                throw .usage(
                    "--device is for a box with one loudspeaker; \(inputs.file) names outputs, and their devices stand there "
                        + "under [[output]]; nothing was changed")
            }
            if !untested { try checkDevices(inputs) }
            draft.devices = device
        }
        if let volume {
            guard let percent = Int(volume), (0...100).contains(percent) else {
                throw CommandError(
                    .usage, "--volume must be a whole number from 0 to 100 (percent), not \"\(volume)\"")
            }
            draft.volume = percent
        }
        if let alert { draft.message = try message(alert, inputs.messages) }
        for text in iqama { try setIqama(text, &draft) }
        let decision = try PlaceDecision(timetable: timetable, exceptions: exceptions)
        (draft.timetableKeeping, draft.exceptionsKeeping) = (decision.timetable, decision.exceptions)
        if let file = decision.file { draft.timetable = try table(file, draft) }
        return draft
    }

    private func message(_ text: String, _ messages: SetupMessages) throws(CommandError) -> MessageAnswer? {
        let answer: MessageAnswer
        do throws(MessageAnswerError) {
            answer = try MessageAnswer(text)
        } catch {
            throw .usage(
                "--alert: \"\(PlainText.visible(text))\" cannot be used as an address: \(error.reason)")
        }
        switch messages {
        case .ready(let address): return answer == .nobody && address.now == nil ? nil : answer
        case .unavailable:
            throw .usage("--alert is for the machine's adhand: sudo adhanctl setup --alert \(text)")
        case .notInstalled:
            throw CommandError(
                .failed,
                "--alert needs the package adhand-bridge, which is not installed; nothing was changed")
        case .unreadable(let reason):
            throw CommandError(.failed, "--alert: \(reason); nothing was changed")
        }
    }

    private func setIqama(_ text: String, _ draft: inout SetupDraft) throws(CommandError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw CommandError(
                .usage, "--iqama must be written prayer=time such as dhuhr=13:30, not \"\(text)\"")
        }
        let prayer = try PrayerName.read(parts[0])
        guard prayer != .jumua else {
            throw CommandError(
                .usage, "Friday's congregations are written into the configuration, under [[jumua.slot]]")
        }
        do throws(IqamaError) {
            let reading = try IqamaReading(parts[1], for: prayer)
            draft.iqama[prayer] = reading.time
            if let note = reading.note { draft.readings.append(note + ".") }
        } catch {
            throw CommandError(.usage, "--iqama \(prayer.rawValue) \(error.reason)")
        }
    }

    /// Reads a timetable for the answered place, or the file's.
    private func table(_ path: String, _ draft: SetupDraft) throws(CommandError) -> SetupTimetable {
        switch TimetableUnderstanding.read(path, (draft.completed ?? draft).site, draft.inputs.now) {
        case .understood(let timetable): return timetable
        case .refused(let reason): throw CommandError(.invalidInput, "\(reason); nothing was changed")
        }
    }

    /// Requires one device that can be opened. A name without a device is refused, whatever the others are.
    private func checkDevices(_ inputs: SetupInputs) throws(CommandError) {
        for name in device where !name.isEmpty {
            guard let reason = TestSignal.fault(of: name) else { continue }
            let others = inputs.devices.prefix(8).map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw CommandError(
                .failed,
                "the device \"\(name)\" cannot be used: \(reason); "
                    + (others.isEmpty ? "none is known here" : "there are \(others)")
                    + "; --untested saves it all the same")
        }
    }

    private func checked() throws(CommandError) -> Config {
        var options = CalculationOptions()
        (options.latitude, options.longitude, options.timezone) = (latitude, longitude, timezone)
        (options.method, options.asr) = (method, asr)
        do throws(OptionError) {
            return try options.apply(to: .default)
        } catch {
            throw CommandError(error)
        }
    }

    private func place(_ checked: Config, _ gazetteer: Gazetteer) throws(CommandError) -> SetupPlace? {
        if let city {
            do throws(PlaceError) {
                let place = try SetupPlace.named(city, gazetteer)
                return name.map(place.named) ?? place
            } catch {
                throw CommandError(.failed, "\(error.message)")
            }
        }
        guard var location = checked.location else { return nil }
        location.name = name
        return SetupPlace(location, gazetteer)
    }
}
