/// One step on the way to a time.
public struct ExplainStep: Sendable, Equatable {
    /// What was done, for a reader: `depression angle 15°`.
    public let rule: String
    /// The instant after the step; `nil` when there is none yet, or none at all.
    public let at: Instant?
    /// Where the rule or the figure comes from.
    public let source: String

    init(_ rule: String, _ seconds: Double, _ source: String) {
        self.rule = rule
        at = seconds.isFinite ? Instant(unixSeconds: seconds) : nil
        self.source = source
    }
}

extension Timetable {
    /// Where an event's time comes from, step by step. The last step's instant is the event's time.
    public func explain(_ event: DayEvent, on date: CivilDate) -> [ExplainStep] {
        var cursor = TimetableCursor(self)
        guard let index = cursor.index(of: date) else {
            return [ExplainStep(day(date).note(for: event) ?? "", .nan, "time zone \(zone.name)")]
        }
        let stages = cursor.stages(index)
        let explanation = Explanation(
            timetable: self, event: event, stages: stages, today: cursor.sky(index))
        return explanation.steps
    }
}

private struct Explanation {
    let timetable: Timetable
    let event: DayEvent
    let stages: DayStages
    let today: Sky

    private var method: Method { timetable.calculation.method }
    private static let sun = "apparent Sun by VSOP87 and IAU 2000A nutation"

    var steps: [ExplainStep] {
        var steps = [definition]
        if let sun = whatTheSunDoes { steps.append(sun) }
        let note = stages.notes[event]
        if note.reason != .withheld, let text = note.text(for: event, exists: !stages.ruled[event].isNaN) {
            steps.append(ExplainStep(text, stages.ruled[event], ruleSource(note)))
        }
        guard !stages.ruled[event].isNaN else { return steps }
        let shifted = event == .imsak ? DayEvent.fajr : event
        let offset = method.offsets[shifted]
        if offset != 0 {
            steps.append(
                ExplainStep("method's own offset \(signed(offset)) min", stages.offset[event], method.source))
        }
        let adjustment = timetable.calculation.adjustments[shifted]
        if adjustment != 0 {
            steps.append(
                ExplainStep(
                    "your adjustment \(signed(adjustment)) min", stages.adjusted[event], "configuration"))
        }
        if note.reason == .withheld, let text = note.text(for: event, exists: true) {
            steps.append(ExplainStep(text, stages.final[event], "docs/METHODS.md, order"))
        } else {
            steps.append(rounding)
        }
        return steps
    }

    private var definition: ExplainStep {
        let seconds = stages.astronomical[event]
        let date = today.date
        switch event {
        case .imsak: return ExplainStep("10 minutes before fajr", seconds, "custom of timetables")
        case .fajr: return angle(method.fajrAngle(on: date), seconds)
        case .sunrise: return horizon(timetable.plan.observer.sunriseDepression, seconds)
        case .sunset: return horizon(timetable.plan.observer.sunsetDepression, seconds)
        case .dhuhr: return ExplainStep("the sun crosses the meridian", seconds, Self.sun)
        case .asr:
            let factor = timetable.calculation.asr.shadowFactor.shortText
            return ExplainStep(
                "shadow = noon shadow + \(factor) × height", seconds,
                "\(timetable.calculation.asr.rawValue) school; \(Self.sun)")
        case .maghrib:
            return method.maghribAngle > 0
                ? angle(method.maghribAngle, seconds)
                : horizon(timetable.plan.observer.sunsetDepression, seconds)
        case .isha:
            switch method.isha {
            case .angle(let degrees): return angle(degrees, seconds)
            case .minutes(let usual, let ramadan):
                let isRamadan = stages.notes[.isha].reason == .ramadan
                return ExplainStep(
                    "\((isRamadan ? ramadan : usual).shortText) minutes after maghrib", seconds, method.source
                )
            }
        case .midnight:
            let end = timetable.calculation.effectiveMidnight == .standard ? "sunrise" : "fajr"
            return ExplainStep("middle of the night from sunset to the next \(end)", seconds, "definition")
        case .lastThird:
            return ExplainStep("two thirds of the night from sunset to the next fajr", seconds, "definition")
        }
    }

    private func angle(_ degrees: Double, _ seconds: Double) -> ExplainStep {
        ExplainStep("depression angle \(degrees.shortText)°", seconds, method.source)
    }

    private func horizon(_ depression: Double, _ seconds: Double) -> ExplainStep {
        let place = timetable.place
        let dip = place.elevation > 0 ? ", dip of the horizon at \(place.elevation.shortText) m" : ""
        return ExplainStep(
            "the sun's upper rim on the horizon: its centre \(depression.shortText)° below (refraction, radius\(dip))",
            seconds, "34′ + 16′, Explanatory Supplement §9.31; \(Self.sun)")
    }

    /// The lowest or highest point that the Sun comes to, for the events that depend on it.
    private var whatTheSunDoes: ExplainStep? {
        let solar = today.solar
        let (depth, height) = timetable.plan.observer.extremes(declination: solar.noonDeclination)
        let lowest: Double
        switch event {
        case .dhuhr, .midnight, .lastThird: return nil
        case .asr: return ExplainStep("the sun's height at noon: \(height.shortText)°", today.noon, Self.sun)
        case .imsak, .fajr, .sunrise: lowest = solar.start
        case .sunset, .maghrib, .isha: lowest = solar.end
        }
        let side = depth >= 0 ? "below" : "above"
        return ExplainStep(
            "the sun's lowest point of the night: \(abs(depth).shortText)° \(side) the horizon",
            solar.instant(lowest).unixSeconds, Self.sun)
    }

    private func ruleSource(_ note: EventNote) -> String {
        switch note.reason {
        case .season, .seventhOfNight, .ramadan, .earlierAngle: method.source
        default: note.rule == nil ? "astronomy" : "docs/METHODS.md, high latitudes"
        }
    }

    private var rounding: ExplainStep {
        let calculation = timetable.calculation
        let text: String
        switch calculation.effectiveRounding {
        case .none: text = "not rounded"
        case .nearest: text = "rounded to the nearest minute"
        case .up:
            let isDown = event == .sunrise && calculation.rounding == nil && method.sunriseRoundsDown
            text = isDown ? "rounded down to the minute" : "rounded up to the minute"
        }
        let source: String =
            switch (calculation.rounding, method.rounding) {
            case (.some, _): "configuration"
            case (nil, .nearest): "custom of timetables"
            case (nil, _): method.source
            }
        return ExplainStep(text, stages.final[event], source)
    }

    private func signed(_ value: Int) -> String { value < 0 ? "−\(-value)" : "+\(value)" }
}
