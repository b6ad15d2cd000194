import Languages
import PrayerEngine
import Protocol
import RemoteProgramme
import Texts

/// Pages with as much on them as there can be, and with names that try to be markup.
enum PageSamples {
    static let hostile = #"<script>alert('x')</script>" onload="a&b"#
    private static let names = ["fajr", "dhuhr", "asr", "maghrib", "isha"]
    private static let clocks = ["05:58", "12:14", "14:22", "16:41", "18:25"]

    static func phone(_ role: Role, _ name: String = hostile) throws -> (Phone, [Phone]) {
        var access = Access()
        var phones: [Phone] = []
        for index in UInt64(0)..<20 {
            let opening = try access.open(
                role, by: .command, random: AccessTests.random(24, index), at: AccessTests.at(Double(index)))
            let verdict = access.pair(
                .key(opening.secret.key), name: PhoneName(name)!, token: AccessTests.token(index + 1),
                from: AccessTests.home, at: AccessTests.at(Double(index)))
            guard case .paired(let phone) = verdict else { throw AccessTests.Wrong() }
            phones.append(phone)
        }
        return (phones[0], phones)
    }

    static func now(_ name: String = hostile) -> NowFacts {
        let outcomes: [Outcome] = [.played, .interrupted, .playing, .upcoming, .upcoming]
        let today = zip(zip(names, clocks), outcomes).map {
            NowFacts.Entry(prayer: $0.0.0, time: $0.0.1, enabled: $0.0.0 != "asr", outcome: $0.1)
        }
        return NowFacts(
            place: name, now: "14:23", next: .init(prayer: "maghrib", time: "16:41", seconds: 8280),
            today: today,
            mute: .init(active: true, until: "16:23", by: name), isPlaying: true, isClockTrusted: true)
    }

    static func week(_ name: String = hostile) -> WeekFacts {
        let days = (0..<7).map { offset in
            let date = CivilDate(year: 2026, month: 11, day: 24)!.adding(days: offset)
            return WeekFacts.Day(
                date: date.description,
                times: zip(names, clocks).map { prayer, clock in
                    .init(
                        prayer: prayer == "dhuhr" && date.isFriday ? "jumua" : prayer, adhan: clock,
                        iqama: "18:40",
                        isException: prayer == "isha")
                })
        }
        let exceptions = (1...9).map {
            ExceptionsReply.Entry(
                date: "2026-12-0\($0)", prayer: "isha", adhan: "18:30", iqama: "18:45", reason: name)
        }
        return WeekFacts(days: days, exceptions: exceptions, settings: keys("iqama", name))
    }

    static func settings(_ name: String = hostile) -> SettingsFacts {
        let rights = SettingsFacts.Right.allCases
        let keys = (0..<60).map { index in
            SettingsFacts.Key(
                key: ["adhan", "iqama", "display", "location"][index / 15] + ".key-\(index)",
                kind: ["volume", "flag", "text", "choice"][index % 4], allowed: name,
                right: rights[index % 3],
                value: index % 4 == 0 ? "45" : name, state: ([nil] + SettingsFacts.State.allCases)[index % 6],
                by: name,
                reason: name)
        }
        let changes = (1...10).map {
            SettingsFacts.Change(
                number: $0, at: "2026-11-24T14:23:00+01:00", by: name, steps: ["adhan.fajr.volume 60 → 45"])
        }
        return SettingsFacts(change: 14, keys: keys, changes: changes)
    }

    static func keys(_ table: String, _ name: String = hostile) -> SettingsFacts {
        let keys = ["slot", "tarawih", "qiyam"].map {
            SettingsFacts.Key(
                key: "\(table).\($0)", kind: "tables", allowed: name, right: .keeper, value: name)
        }
        return SettingsFacts(change: 14, keys: keys)
    }

    static func all(_ name: String = hostile, _ phones: [Phone]) -> [Page] {
        let outcomes = Outcome.allCases
        let log = (0..<LogFacts.most).map {
            LogFacts.Entry(
                date: "2026-11-\(10 + $0 % 20)", time: "16:41", prayer: names[$0 % 5],
                outcome: outcomes[$0 % outcomes.count], reason: name)
        }
        let checks = HealthFacts.Verdict.allCases.map {
            HealthFacts.Check(name: name, verdict: $0, message: name, fix: name)
        }
        let question = TimetableFacts.Question(
            name: "clock", text: name, answers: [(name, name), ("utc", "UTC")])
        let setup = SetupFacts.Step.allCases.map {
            SetupFacts(step: $0, options: [name, "b"], times: zip(names, clocks).map { ($0, $1) })
        }
        return [
            .pair(PairFacts(suggestedName: name)), .now(now(name)), .week(week(name)),
            .health(HealthFacts(checks: checks)),
            .log(LogFacts(entries: log)), .settings(settings(name)), .phones(PhonesFacts(phones: phones)),
            .friday(FridayFacts(settings: keys("jumua", name))),
            .ramadan(RamadanFacts(settings: keys("ramadan", name), today: name)),
            .announcements(
                AnnouncementsFacts(
                    entries: (0..<100).map { _ in
                        .init(text: String(repeating: name, count: 8), until: "2026-11-29")
                    })),
            .sounds(
                SoundsFacts(sounds: (0..<20).map { .init(name: name, prayers: names, isShipped: $0 < 4) })),
            .timetable(
                TimetableFacts(
                    current: name, findings: [name], questions: [question], canBeTaken: true,
                    canBeUndone: true)),
            .setup(SetupFacts(step: .place)), .setup(SetupFacts(step: .loudspeaker, device: name)),
        ] + setup.map { .setup($0) } + PageProblem.allCases.map { .problem($0) }
    }
}
