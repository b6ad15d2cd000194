/// One step in the computation of a time.
public struct ExplainStep: Sendable, Equatable {
    /// The step in words, for a reader: `depression angle 15°`.
    public let rule: String
    /// The instant after the step; `nil` when there is none yet, or none at all.
    public let at: Instant?
    /// The origin of the rule or the figure.
    public let source: String

    init(_ rule: String, _ seconds: Double, _ source: String) {
        self.rule = rule
        at = seconds.isFinite ? Instant(unixSeconds: seconds) : nil
        self.source = source
    }
}

extension ComputedTimes {
    /// The computation of an event's time, step by step. The last step's instant is the event's time.
    public func explain(_ event: DayEvent, on date: CivilDate) -> [ExplainStep] {
        var cursor = ComputedTimesCursor(self)
        guard let index = cursor.index(of: date) else {
            return [ExplainStep(day(date).note(for: event) ?? "", .nan, "time zone \(zone.name)")]
        }
        let stages = cursor.stages(index)
        let explanation = Explanation(
            timetable: self, event: event, stages: stages, today: cursor.solarEvents(index))
        return explanation.steps
    }
}

/// The explanation of one event, in steps.
private struct Explanation {
    let timetable: ComputedTimes
    let event: DayEvent
    let stages: DayStages
    let today: SolarEvents

    private var method: Method { timetable.calculation.method }
    private var plan: CalculationPlan { timetable.plan(on: today.solar.index) }
    private static let sun = "apparent Sun by VSOP87 and IAU 2000A nutation"

    var steps: [ExplainStep] {
        var steps = basis + [definition]
        if let sun = whatTheSunDoes { steps.append(sun) }
        let note = stages.notes[event]
        if note.reason != .withheld, let text = note.text(for: event, exists: !stages.ruled[event].isNaN) {
            steps.append(ExplainStep(text, stages.ruled[event], ruleSource(note)))
        }
        guard !stages.ruled[event].isNaN else { return steps }
        let shifted = event == .imsak ? DayEvent.fajr : event
        let isRamadan =
            method.knowsRamadan
            && timetable.calculation.hijri.date(today.date).isRamadan
        let offset = plan.offset(of: shifted, on: today.date, isRamadan: isRamadan)
        if offset != 0 {
            let season =
                isRamadan && method.ramadanOffsets[shifted] != 0
                ? ", in Ramadan" : method.hasSeasonalOffsets ? ", this date's" : ""
            steps.append(
                ExplainStep(
                    "method's own offset \(signed(offset)) min\(season)", stages.offset[event], method.source)
            )
        }
        let adjustment = timetable.calculation.adjustments[shifted]
        if adjustment != 0 {
            steps.append(
                ExplainStep(
                    "your adjustment \(signed(Double(adjustment))) min", stages.adjusted[event],
                    "configuration"))
        }
        if note.reason == .withheld, let text = note.text(for: event, exists: true) {
            steps.append(ExplainStep(text, stages.final[event], "docs/METHODS.md, order"))
        } else {
            steps.append(rounding)
        }
        return steps
    }

    /// The place and the Sun's position that the method uses, where they are not this place and the event itself.
    private var basis: [ExplainStep] {
        var steps: [ExplainStep] = []
        if let reference = plan.reference {
            var point = "\(plan.observer.latitude.shortText), \(plan.longitude.shortText)"
            if let further = reference.further {
                let both = event == .sunrise || event == .sunset || event == .midnight || event == .lastThird
                point += " and at \(further.latitude.shortText), \(further.longitude.shortText), "
                point += both ? "the middle of both" : "the later of both"
            }
            steps.append(
                ExplainStep(
                    "computed for \(reference.code), \(reference.name), at the point \(point)", .nan,
                    method.source))
        } else if let country = timetable.calculation.countryMissed(at: timetable.place) {
            steps.append(
                ExplainStep(
                    "far from every zone of \(method.name), which are those of \(country): computed for the place itself",
                    .nan, "docs/METHODS.md, zones"))
        }
        if let centre = plan.centre {
            steps.append(
                ExplainStep(
                    "the table of \(centre.name), with this month's whole minutes for the place", .nan,
                    method.source))
        }
        switch ephemeris {
        case .exact: break
        case .fixed(let hour):
            steps.append(
                ExplainStep(
                    "the sun's place of \(hour.shortText) h UT of the date, for the whole day", .nan,
                    method.source))
        case .perpetual(let year), .perpetualExact(let year):
            steps.append(
                ExplainStep(
                    "the sun's place of the same date in \(year): a perpetual table", .nan, method.source))
        }
        return steps
    }

    /// The instant of the Sun's position that is used for the event.
    private var ephemeris: Ephemeris {
        switch event {
        case .dhuhr, .asr: method.daylightEphemeris ?? method.ephemeris
        case .imsak, .fajr: plan.dawnEphemeris ?? method.ephemeris
        case .sunrise, .sunset, .maghrib, .isha, .midnight, .lastThird: method.ephemeris
        }
    }

    private var definition: ExplainStep {
        let seconds = stages.astronomical[event]
        let date = today.date
        let end = timetable.calculation.effectiveMidnight == .standard ? "sunrise" : "fajr"
        switch event {
        case .imsak:
            return method.imsakMinutes == 10
                ? ExplainStep("10 minutes before fajr", seconds, "custom of timetables")
                : ExplainStep(
                    method.imsakMinutes == 0
                        ? "imsak is fajr itself" : "\(method.imsakMinutes.shortText) minutes before fajr",
                    seconds,
                    method.source)
        case .fajr: return angle(plan.fajrAngle(on: date), seconds)
        case .sunrise: return horizon(plan.observer.sunriseDepressionDegrees, seconds)
        case .sunset: return horizon(plan.observer.sunsetDepressionDegrees, seconds)
        case .dhuhr: return ExplainStep("the sun crosses the meridian", seconds, Self.sun)
        case .asr:
            let factor = timetable.calculation.asr.shadowFactor.shortText
            return ExplainStep(
                "shadow = noon shadow + \(factor) × height"
                    + (method.noonShadowHour.map {
                        ", the noon shadow by the declination of \($0.shortText) h UT"
                    } ?? ""),
                seconds,
                "\(timetable.calculation.asr.rawValue) school; \(Self.sun)")
        case .maghrib:
            return method.maghribAngle > 0
                ? angle(method.maghribAngle, seconds)
                : horizon(plan.observer.sunsetDepressionDegrees, seconds)
        case .isha:
            switch plan.isha {
            case .angle(let degrees): return angle(degrees + plan.twilightDipDegrees, seconds)
            case .minutes(let usual, let ramadan):
                let isRamadan = stages.notes[.isha].reason == .ramadan
                return ExplainStep(
                    "\((isRamadan ? ramadan : usual).shortText) minutes after maghrib", seconds, method.source
                )
            }
        case .midnight:
            return ExplainStep("middle of the night from sunset to the next \(end)", seconds, "definition")
        case .lastThird:
            return ExplainStep(
                "two thirds of the night from sunset to the next \(end)", seconds, "definition")
        }
    }

    private func angle(_ degrees: Double, _ seconds: Double) -> ExplainStep {
        ExplainStep("depression angle \(degrees.shortText)°", seconds, method.source)
    }

    private func horizon(_ depression: Double, _ seconds: Double) -> ExplainStep {
        let dip =
            plan.elevationMetres > 0 ? ", dip of the horizon at \(plan.elevationMetres.shortText) m" : ""
        return ExplainStep(
            "the sun's upper rim on the horizon: its centre \(depression.shortText)° below (refraction, radius\(dip))",
            seconds, "34′ + 16′, Explanatory Supplement §9.31; \(Self.sun)")
    }

    /// The lowest or highest point that the Sun reaches, for the events that depend on it.
    private var whatTheSunDoes: ExplainStep? {
        let solar = today.solar
        let (depth, height) = plan.observer.extremes(declination: solar.noonDeclinationDegrees)
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
        case .season, .seventhOfNight, .ramadan, .earlierAngle, .shortNight, .dayLimit: method.source
        default: note.rule == nil ? "astronomy" : "docs/METHODS.md, high latitudes"
        }
    }

    private var rounding: ExplainStep {
        let calculation = timetable.calculation
        let text =
            switch plan.rounding(of: event) {
            case nil: "not rounded"
            case .nearest: "rounded to the nearest minute"
            case .up: "rounded up to the minute"
            case .down: "rounded down to the minute"
            }
        let isConfigured =
            calculation.rounding != nil || calculation.roundingByEvent.value(of: event) != nil
        let source =
            isConfigured
            ? "configuration" : method.rounding == .nearest ? "custom of timetables" : method.source
        return ExplainStep(text, stages.final[event], source)
    }

    private func signed(_ value: Double) -> String {
        value < 0 ? "−\((-value).shortText)" : "+\(value.shortText)"
    }
}
