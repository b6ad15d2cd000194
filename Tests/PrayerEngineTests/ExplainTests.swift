import Foundation
import Testing

@testable import PrayerEngine

@Suite("Explaining a time")
struct ExplainTests {
    private func oslo(_ change: (inout Calculation) -> Void = { _ in }) throws -> ComputedTimes {
        var calculation = Calculation(method: try #require(Method.named("diyanet")))
        change(&calculation)
        return ComputedTimes(
            place: try Place(latitude: 59.91, longitude: 10.75), calculation: calculation, zone: .utc)
    }

    @Test(
        "The last step is the time itself, for every method, event and season",
        arguments: Method.all.map(\.name))
    func lastStep(name: String) throws {
        let timetable = try oslo { calculation in
            calculation.method = Method.named(name) ?? calculation.method
            calculation.adjustments.isha = 2
        }
        for dayNumber in [20_625, 20_500, 20_808] {
            let date = CivilDate(dayNumber: dayNumber)
            let day = timetable.day(date)
            for event in DayEvent.allCases {
                let steps = timetable.explain(event, on: date)
                #expect(steps.last?.at == day[event])
                #expect(steps.allSatisfy { !$0.rule.isEmpty && !$0.source.isEmpty })
            }
        }
    }

    @Test("Isha in Oslo's June: angle, Sun, rule, adjustment, rounding, in that order")
    func isha() throws {
        let timetable = try oslo {
            $0.adjustments.isha = -3
            $0.highLatitude = .twilightAngle
        }
        let steps = timetable.explain(.isha, on: CivilDate(dayNumber: 20_625))
        #expect(
            steps.map(\.rule) == [
                "the sun's place of 0 h UT of the date, for the whole day",
                "depression angle 16°", "the sun's lowest point of the night: 6.65° below the horizon",
                "the sun does not reach 16° below the horizon; twilight-angle rule applied",
                "your adjustment −3 min", "rounded to the nearest minute",
            ])
        #expect(steps[1].at == nil)
        let (ruled, adjusted) = (try #require(steps[3].at), try #require(steps[4].at))
        #expect(adjusted - ruled == -180)
        #expect(abs(try #require(steps[5].at) - adjusted) <= 30)
    }

    @Test("A method's own minutes are a step of their own")
    func offset() throws {
        let steps = try oslo().explain(.sunrise, on: CivilDate(dayNumber: 20_500))
        #expect(steps.contains { $0.rule == "method's own offset −7 min" })
        #expect(steps[1].rule.contains("its centre 0.83° below") == true)
    }

    @Test("In the tropics the Sun is never higher than 90°, on whichever side of the zenith it passes")
    func height() throws {
        // 24 May, with the Sun at 20.7° north: beyond the zenith of the tropics, and on its usual side further north.
        for (latitude, degrees) in [(-6.0, 63), (20.9, 89), (10, 79), (80, 30)] {
            let timetable = ComputedTimes(
                place: try Place(latitude: latitude, longitude: 0), calculation: Calculation(), zone: .utc)
            let steps = timetable.explain(.asr, on: CivilDate(dayNumber: 20_597))
            #expect(
                steps.contains { $0.rule.hasPrefix("the sun\'s height at noon: \(degrees)") },
                "\(latitude): \(steps.map(\.rule))")
        }
        for latitude in stride(from: -90.0, through: 90, by: 5) {
            for declination in [-23.44, -5, 0, 12, 23.44] {
                let (depth, height) = Observer(latitude: latitude).extremes(declination: declination)
                let radians = (latitude * .pi / 180, declination * .pi / 180)
                let (sines, cosines) = (sin(radians.0) * sin(radians.1), cos(radians.0) * cos(radians.1))
                #expect(abs(height - asin(min(1, sines + cosines)) * 180 / .pi) < 1e-5)
                #expect(abs(depth + asin(max(-1, sines - cosines)) * 180 / .pi) < 1e-5)
            }
        }
    }

    @Test("What does not occur ends with the reason")
    func missing() throws {
        let timetable = try oslo { $0.highLatitude = HighLatitudeRule.none }
        let steps = timetable.explain(.isha, on: CivilDate(dayNumber: 20_625))
        #expect(steps.last?.at == nil)
        #expect(
            steps.last?.rule == "the sun does not reach 16° below the horizon, and no rule replaces it")
    }
}
