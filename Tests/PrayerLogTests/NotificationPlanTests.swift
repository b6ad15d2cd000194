import Languages
import PrayerEngine
import Settings
import Testing
import Texts

@testable import PrayerLog

struct NotificationPlanTests {
    private let day = "2026-11-18"  // a Wednesday

    private func plan(
        _ hour: Int, _ minute: Int = 0, marks: [Mark] = [], snoozed: [PrayerSlot: Instant] = [:],
        settings: CompanionSettings = CompanionSettings()
    ) -> [String] {
        let today = Fixture.today(day, hour, minute)
        return NotificationPlan(
            Logbook(marks, today: today), zone: .utc, settings: settings, snoozed: snoozed, after: today.now
        ).notices.map { "\(InstantText.rfc3339($0.at, in: .utc).dropFirst(8).prefix(8)) \($0.id)" }
    }

    @Test("A prayer is reminded of, announced and followed up, and the plan has nothing of the past")
    func aPrayerIsAnnouncedAskedAfterAndNothingIsPast() {
        let plan = plan(11, 52)
        #expect(
            plan.prefix(4) == [
                "18T11:55 reminder-5m_dhuhr_20261118", "18T12:00 prayer_dhuhr_20261118",
                "18T14:30 follow-up_dhuhr_20261118", "18T14:50 reminder-10m_asr_20261118",
            ])
        // Until the isha of tomorrow; the fajr of today is over.
        #expect(!plan.contains { $0.contains("fajr_20261118") })
        #expect(plan.count { $0.contains(" prayer_") } == 9)
        // Maghrib is at 18:00, fajr at 5:00: the night's middle is 23:30. At the end of isha's time people sleep.
        #expect(plan.contains("18T23:00 follow-up_isha_20261118"))
        #expect(plan.last == "19T23:00 follow-up_isha_20261119")
    }

    @Test("Marked prayers and excused days are left out of the plan")
    func whatIsMarkedIsNotAskedAfter() {
        let date = Fixture.date(day)
        for status in [MarkStatus.prayed, .late, .madeUp, .excused] {
            #expect(
                !plan(12, 10, marks: [Fixture.mark(date, .dhuhr, status)]).contains {
                    $0.contains("dhuhr_20261118")
                })
        }
        #expect(plan(12, 10, marks: [Fixture.mark(date, .fajr)]).first == "18T14:30 follow-up_dhuhr_20261118")
        // A day that is excused is left in peace.
        #expect(!plan(4, 0, marks: Fixture.day(date, .excused)).contains { $0.contains("20261118") })
        // Also one that was excused ahead.
        let ahead = plan(4, 0, marks: Fixture.day(date.adding(days: 1), .excused))
        #expect(!ahead.contains { $0.contains("20261119") } && ahead.contains { $0.contains("20261118") })
    }

    @Test("On a Friday the plan has Jumu'ah")
    func fridaysPrayerHasItsName() {
        let today = Fixture.today("2026-11-20", 9)
        let plan = NotificationPlan(
            Logbook([], today: today), zone: .utc, settings: CompanionSettings(), after: today.now)
        #expect(plan.notices.contains { $0.id == "prayer_jumua_20261120" })
    }

    @Test("A snoozed prayer is asked about again, unless the next one begins first")
    func snoozingAsksAgainUntilTheNextPrayer() {
        let asr = PrayerSlot(Fixture.date(day), .asr)
        let today = Fixture.today(day, 15, 1)
        let again = NotificationPlan.snooze(asr, at: today.now, today: today, settings: CompanionSettings())
        #expect(again == Fixture.at(Fixture.date(day), 15, 21))
        #expect(
            plan(15, 2, snoozed: [asr: Fixture.at(Fixture.date(day), 15, 21)]).first?.hasPrefix(
                "18T15:21 snoozed-") == true)
        // 17:41 would be after maghrib at 18:00 with twenty minutes more.
        let late = Fixture.today(day, 17, 41)
        #expect(NotificationPlan.snooze(asr, at: late.now, today: late, settings: CompanionSettings()) == nil)
        // Marked meanwhile: not asked again.
        let marked = plan(
            15, 2, marks: [Fixture.mark(asr.date, .asr)],
            snoozed: [asr: Fixture.at(Fixture.date(day), 15, 21)])
        #expect(!marked.contains { $0.contains("asr_20261118") })
    }

    @Test("Quiet hours may reach over midnight")
    func quietHoursReachOverMidnight() {
        var settings = CompanionSettings()
        (settings.quietFromMinutes, settings.quietUntilMinutes) = (23 * 60, 5 * 60)
        let plan = plan(20, 0, settings: settings)
        // 4:30, 4:50 and 4:55 are quiet, 5:00 is not.
        #expect(plan.first == "19T05:00 prayer_fajr_20261119")
        #expect(settings.isQuiet(23 * 60) && settings.isQuiet(0) && settings.isQuiet(4 * 60 + 59))
        #expect(!settings.isQuiet(5 * 60) && !settings.isQuiet(22 * 60 + 59))
        (settings.quietFromMinutes, settings.quietUntilMinutes) = (13 * 60, 14 * 60)
        #expect(settings.isQuiet(13 * 60) && !settings.isQuiet(14 * 60))
    }

    @Test("Reminders, follow-ups and switches are set for each prayer")
    func settingsAreOfEachPrayer() {
        var settings = CompanionSettings()
        settings[.fajr].reminderSeconds = [1800]
        settings[.fajr].followUpSeconds = 0
        settings[.dhuhr].enabled = false
        let plan = plan(3, settings: settings)
        #expect(
            plan.filter { $0.contains("fajr_20261118") } == [
                "18T04:30 reminder-30m_fajr_20261118", "18T05:00 prayer_fajr_20261118",
            ])
        #expect(!plan.contains { $0.contains("dhuhr") })
    }

    /// A machine that slept says no old news, nothing twice, and of one prayer the last alone.
    @Test("After a sleep old notices are left out, and of a prayer only the last is shown")
    func oldNewsIsNoNews() {
        let date = Fixture.date(day)
        let slot = PrayerSlot(date, .asr)
        let notices = [
            PersonalNotice(slot, .reminder(beforeSeconds: 300), at: Fixture.at(date, 14, 59)),
            PersonalNotice(slot, .prayer, at: Fixture.at(date, 15)),
        ]
        let now = Fixture.at(date, 15)
        #expect(NotificationPlan.due(notices, now: now, shown: []) == [notices[1]])
        #expect(NotificationPlan.due(notices, now: now - 1, shown: []) == [notices[0]])
        #expect(NotificationPlan.due(notices, now: now, shown: [notices[1].id]) == [notices[0]])
        #expect(
            NotificationPlan.due(notices, now: now + NotificationPlan.graceSeconds, shown: []) == [notices[1]]
        )
        #expect(NotificationPlan.due(notices, now: now + NotificationPlan.graceSeconds + 1, shown: []) == [])
    }

    @Test("A notification uses what its server can show")
    func wordsSuitTheServer() throws {
        let date = Fixture.date(day)
        let slot = PrayerSlot(date, .asr)
        var around = NoticeSurroundings(
            place: "Queens & <co>", zone: .utc, window: Fixture.windows(date)[.asr], qibla: 58.4,
            hasAdhan: true, mayMute: true,
            capabilities: ["actions", "body", "body-markup"])
        var settings = CompanionSettings()
        (settings.qibla, settings.arabicName) = (true, true)
        let notice = PersonalNotice(slot, .prayer, at: Fixture.at(date, 15))
        let rich = Notification(notice, around, words: .english, settings: settings)
        #expect(rich.title == "Time for Asr")
        #expect(rich.body == "It's time to pray Asr in Queens &amp; &lt;co&gt;\nالعصر\nQibla: 58° from north")
        #expect(rich.buttons.map(\.label) == ["Prayed", "Snooze 20 min", "Mute the adhan"])
        #expect(rich.urgency == .normal && rich.stays && rich.sound == nil)
        around.mayMute = false
        #expect(Notification(notice, around, words: .english, settings: settings).buttons.count == 2)
        around.capabilities = ["body"]
        around.hasAdhan = false
        let plain = Notification(notice, around, words: .english, settings: CompanionSettings())
        #expect(plain.body == "It's time to pray Asr in Queens & <co>\nMark it with: prayed")
        #expect(plain.buttons.isEmpty && plain.sound != nil && !plain.stays)
        let reminder = Notification(
            PersonalNotice(slot, .reminder(beforeSeconds: 600), at: Fixture.at(date, 14, 50)), around,
            words: .english, settings: settings)
        #expect(reminder.title == "Asr in 10 min")
        #expect(reminder.body == "Asr in Queens & <co> is at 15:00")
        #expect(reminder.urgency == .low && !reminder.stays)
        let turkish = Notification(notice, around, words: try #require(.embedded("tr")), settings: settings)
        #expect(turkish.title == "İkindi vakti")
        #expect(turkish.body.hasPrefix("Queens & <co>: İkindi namazı vakti girdi\nالعصر"))
    }

    @Test("Unknown keys and impossible values of companion.toml are refused")
    func theFileIsStrict() throws {
        func read(_ text: String) throws(ConfigError) -> CompanionSettings {
            try CompanionSettings.schema.read([ConfigSource(file: "c.toml", text: Array(text.utf8))]).settings
        }
        #expect(try read("") == CompanionSettings())
        let settings = try read(
            """
            language = "tr"
            [log]
            goal = 3
            [notifications]
            snooze = "10m"
            quiet-from = "23:00"
            quiet-until = "05:00"
            [prayer]
            reminders = ["15m"]
            [prayer.fajr]
            follow-up = "0s"
            """)
        #expect(
            settings.language == "tr" && settings.goal == 3 && settings.snoozeSeconds == 600
                && settings.quietFromMinutes == 1380
                && settings.quietUntilMinutes == 300)
        #expect(settings[.fajr].reminderSeconds == [900] && settings[.fajr].followUpSeconds == 0)
        #expect(settings[.isha].reminderSeconds == [900] && settings[.isha].followUpSeconds == 1800)
        for (text, sentence) in [
            ("[log]\ngoal = 6", "c.toml:2:8: "), ("[notification]\n", "c.toml:1:2: unknown"),
            ("[notifications]\nquiet-from = \"25:00\"", "c.toml:2:14: "),
            ("[notifications]\nquiet-from = \"23:00\"", "quiet-from needs quiet-until beside it"),
            ("language = \"xx\"", "a language's code"), ("[prayer.farj]\nenabled = true", "did you mean"),
        ] {
            do throws(ConfigError) {
                _ = try read(text)
                Issue.record("\(text) was read")
            } catch {
                #expect(error.message.contains(sentence), "\(error.message)")
            }
        }
    }
}
