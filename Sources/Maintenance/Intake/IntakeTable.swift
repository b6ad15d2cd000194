import Console
import Host
import PrayerEngine
import Protocol
import Settings
import Texts
import Times
import TimetableImport

/// An uploaded timetable, read with the answers given up to now.
struct IntakeTable {
    private let intake: Intake
    private let place: TimetablePlace
    private let file: ImportFile
    private let result: ImportResult

    init(_ intake: Intake, _ kept: (bytes: [UInt8], request: IntakeRequest)) throws(IntakeError) {
        self.intake = intake
        let options = try intake.command { () throws(CommandError) in try Self.options(kept.request) }
        place = try intake.command { () throws(CommandError) in try Self.place(intake) }
        file = ImportFile(name: PlainText.visible(kept.request.name ?? "timetable"), bytes: kept.bytes)
        do throws(ImportRefusal) {
            result = try Importer.run([file], options: options, site: place.site, today: place.today)
        } catch {
            var reply = IntakeReply(
                error.mistake.message, error: error.question == nil ? .content : .question)
            reply.question = error.question.map(Self.question)
            throw IntakeError(reply)
        }
    }

    func preview() -> IntakeReply {
        var reply = IntakeReply("understood \(CountText.of(result.days, "day"))")
        reply.timetable = document(saved: false)
        return reply
    }

    func save(replacing replace: IntakeRequest.Replacing) throws(IntakeError) -> IntakeReply {
        try intake.command { () throws(CommandError) in
            var table = result.table
            table.label(
                result.source(
                    named: "main", of: [file], [file.name], on: place.today, at: place.site))
            let store = try TimetableStore.open(in: place.state)
            switch replace {
            case .all: try store.replace(with: table)
            case .dates: try store.change { $0.merge(table) }
            }
            let effect = TimetableEffect(intake.daemon, place.stateDirectory).apply()
            var reply = IntakeReply("saved \(CountText.of(result.days, "day")); \(effect.message)")
            reply.timetable = document(saved: true)
            return reply
        }
    }

    static func remove(_ intake: Intake) throws(IntakeError) -> IntakeReply {
        try intake.command { () throws(CommandError) in
            let place = try place(intake)
            // A timetable that cannot be read can be removed as well.
            if let table = try? place.table(), table.isEmpty {
                return IntakeReply("no timetable is in force", error: .nothing)
            }
            let removed = try TimetableStore.open(in: place.state).clear()
            let days = (removed?.dated.count ?? 0) + (removed?.everyYear.count ?? 0)
            let effect = TimetableEffect(intake.daemon, place.stateDirectory).apply()
            return IntakeReply("removed \(CountText.of(days, "day")); \(effect.message)")
        }
    }

    private static func place(_ intake: Intake) throws(CommandError) -> TimetablePlace {
        try TimetablePlace(intake.named, intake.daemon)
    }

    static func undo(_ intake: Intake) throws(CommandError) -> IntakeReply {
        let place = try place(intake)
        _ = try TimetableStore.open(in: place.state).undo()
        return IntakeReply(TimetableEffect(intake.daemon, place.stateDirectory).apply().message)
    }

    private func document(saved: Bool) -> IntakeTimetable {
        let span = result.table.span
        return IntakeTimetable(
            days: result.days, first: span?.lowerBound.description, last: span?.upperBound.description,
            clock: result.clock.rawValue, hours: result.hours,
            findings: result.findings.map {
                .init(
                    kind: $0.kind.rawValue, isWarning: $0.severity == .warning, from: $0.from.description,
                    until: $0.until.description, text: $0.text)
            }, remarks: result.remarks, saved: saved)
    }

    private static func question(_ question: ImportRefusal.Question) -> IntakeReply.Question {
        switch question {
        case .dates: .dates
        case .asr: .asr
        }
    }

    /// The options of `adhanctl timetable import`, parsed by the same rules.
    static func options(_ request: IntakeRequest) throws(CommandError) -> ImportOptions {
        try ImportAnswers(
            clock: request.clock, year: request.year, hours: request.hours, dates: request.dates,
            asr: request.asr
        ).options()
    }
}
