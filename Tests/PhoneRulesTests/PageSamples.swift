import Languages
import PhoneRules
import PrayerEngine
import Protocol
import Texts
import Times

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
        let outcomes: [(Outcome, PrayerStage)] = [
            (.missed, .beforeStart), (.interrupted, .interrupted), (.playing, .playing), (.upcoming, .next),
            (.upcoming, .muted),
        ]
        let today = zip(zip(names, clocks), outcomes).map {
            NowFacts.Entry(
                prayer: $0.0.0, time: $0.0.1, enabled: $0.0.0 != "asr", outcome: $0.1.0, stage: $0.1.1)
        }
        return NowFacts(
            place: name, now: "14:23", next: .init(prayer: "maghrib", time: "16:41", seconds: 8280),
            today: today,
            mute: .init(active: true, until: "16:23", by: name), isPlaying: true, isClockTrusted: true,
            iqama: Dictionary(uniqueKeysWithValues: names.map { ($0, "18:40") }),
            outputs: [
                .init(name: "hall"),
                .init(name: "women", hasFailed: true, quiet: "mute", quietUntil: "16:23"),
                .init(name: name, quiet: name, quietUntil: "06:00"),
            ])
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
        return WeekFacts(
            days: days, exceptions: exceptions, settings: keys("iqama", "at", name), changes: rows(name))
    }

    /// As many keys as there are, each as long as any.
    static func settings(_ name: String = hostile) -> SettingsFacts {
        let rights = SettingsFacts.Right.allCases
        let keys = (0..<150).map { index in
            SettingsFacts.Key(
                key: "calculation.rounding-by-event.key-\(index)",
                kind: index < 12 ? "volume" : ["flag", "text", "choice", "tables"][index % 4], allowed: name,
                right: rights[index % 3], value: index < 12 ? "45" : index % 10 == 0 ? name : "nearest",
                state: index < 20 ? ([nil] + SettingsFacts.State.allCases)[index % 6] : nil, by: name,
                reason: name)
        }
        let changes = (1...SettingsFacts.mostChanges).map {
            SettingsFacts.Change(
                number: $0, at: "2026-11-24T14:23:00+01:00", by: name,
                steps: [.init("adhan.fajr.volume", from: "60", to: "45")])
        }
        return SettingsFacts(change: 14, keys: keys, changes: changes)
    }

    static func keys(_ table: String, _ last: String, _ name: String = hostile) -> SettingsFacts {
        let keys = (Self.names + ["jumua"]).map {
            SettingsFacts.Key(
                key: "\(table).\($0).\(last)", kind: "text", allowed: name, right: .keeper, value: name)
        }
        return SettingsFacts(change: 14, keys: keys)
    }

    static func rows(_ name: String = hostile) -> [RowFacts] {
        (0..<10).map { index in
            RowFacts(
                mark: "0123456789abcdef",
                fields: [.init("from", "2026-12-0\(index)"), .init("isha", "20:15"), .init("khutba", name)])
        }
    }

    private static func timetable(_ name: String, _ question: IntakeReply.Question?) -> Page {
        var reply = IntakeReply(name)
        reply.question = question
        reply.timetable = IntakeTimetable(
            days: 365, first: "2027-01-01", last: "2027-12-31", clock: "local", hours: 24,
            findings: (0..<40).map { index in
                .init(
                    kind: TimetableFinding.Kind.allCases[index % TimetableFinding.Kind.allCases.count]
                        .rawValue,
                    isWarning: index % 2 == 0, from: "2027-03-01", until: "2027-03-09", text: name)
            }, remarks: [], saved: false)
        return .timetable(
            TimetableFacts(
                days: 365, first: "2026-01-01", last: "2026-12-31", pending: .init(reply, mark: 1),
                canBeUndone: true))
    }

    private static func messages(_ name: String) -> Page {
        var reply = MessagesReply(name)
        (reply.address, reply.others) = (name, [name, name])
        return .messages(MessagesFacts(reply, topic: NtfyTopic(name: name)))
    }

    private static func setups(_ name: String) -> [Page] {
        PhoneSetupDraft.Step.allCases.map { step in
            let options = step == .asr ? ["standard", "hanafi"] : [name, "auto"]
            return .setup(
                SetupFacts(
                    step: step, options: options.map { .init($0, $0) }, chosen: "50", town: name,
                    times: zip(names, clocks).map { .init($0, $1) }))
        } + [.setup(SetupFacts(step: .loudspeaker, asked: name))]
    }

    static func network(_ name: String = hostile) -> NetworkFacts {
        let networks = (0..<40).map {
            NetworkDocument.Network(ssid: "\(name.prefix(30))\($0)", signal: -40 - $0, secured: true)
        }
        var document = NetworkDocument(state: .hotspot, last: .wrongPassword, networks: networks)
        (document.name, document.country) = (name, "GB")
        var facts = NetworkFacts(document, mayJoin: true)
        facts.home = NetworkFacts.home(
            "http://adhan-1a2b3c.local:8790/r/pair", key: String(repeating: "a", count: 32))
        return facts
    }

    /// Pages of a box that waits for something.
    private static func waiting(_ name: String) -> [Page] {
        var week = week(name)
        week.awaitsPlace = true
        var pair = PairFacts(suggestedName: name)
        pair.namesNetwork = true
        var derived = NetworkDocument(state: .hotspot)
        derived.hasDerivedKey = true
        let times = StatusDocument.Awaiting.allCases.map { awaiting -> Page in
            var now = now(name)
            now.awaiting = awaiting
            return .now(now)
        }
        return times + [
            .week(week), .pair(pair), .pair(PairFacts(suggestedName: name, acceptsWords: true)),
            .network(NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: false)),
            .network(NetworkFacts(derived, mayJoin: true)),
        ]
    }

    static func all(_ name: String = hostile, _ phones: [Phone]) -> [Page] {
        let outcomes = Outcome.allCases
        let log = (0..<LogFacts.most).map {
            LogFacts.Entry(
                date: "2026-11-\(10 + $0 % 20)", time: "16:41", prayer: names[$0 % 5],
                outcome: outcomes[$0 % outcomes.count], reason: name)
        }
        let checks = ["clock", "mosque-times", name].flatMap { check in
            HealthFacts.Verdict.allCases.map {
                HealthFacts.Check(name: check, verdict: $0, message: name, fix: name)
            }
        }
        let sounds = (0..<20).map {
            SoundsFacts.Sound(name: name, isShipped: $0 < 4, seconds: 225, isBroken: $0 == 5)
        }
        let announcements = (0..<100).map { index in
            AnnouncementsFacts.Entry(
                text: String(repeating: name, count: 8), until: "2026-11-29", hasPicture: index % 2 == 0,
                mark: "0123456789abcdef")
        }
        let pages: [Page] = [
            .pair(PairFacts(suggestedName: name)), .pair(PairFacts(suggestedName: name, hasJoined: true)),
            .network(network(name)), .now(now(name)), .week(week(name)),
            .health(HealthFacts(checks: checks)),
            .log(LogFacts(entries: log)), .settings(settings(name)), .phones(PhonesFacts(phones: phones)),
            .friday(FridayFacts(settings: keys("jumua", "sound", name), slots: rows(name))),
            .ramadan(
                RamadanFacts(settings: keys("ramadan.iqama", "fajr", name), year: 1448, month: 9, day: 1)),
            .announcements(
                AnnouncementsFacts(entries: announcements, picture: String(repeating: "a", count: 64))),
            .announcements(AnnouncementsFacts(entries: [])),
            .sounds(SoundsFacts(sounds: sounds, settings: keys("adhan", "sound", name))),
            timetable(name, nil), .timetable(TimetableFacts(days: 0)), messages(name),
            .messages(MessagesFacts(nil, topic: NtfyTopic(name: "adhan-x"))),
        ]
        return pages + IntakeReply.Question.allCases.map { timetable(name, $0) } + setups(name)
            + waiting(name) + PageProblem.allCases.map { .problem($0) }
    }
}
