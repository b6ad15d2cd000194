import Announcements
import BoxSupport
import Daemon
import LabSupport
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts
import Times

@Suite("What a mosque decides by hand: exceptions and months")
struct DecidedByHandTests {
    private func exception(
        _ date: String, _ prayer: String, _ adhan: String? = nil, iqama: String? = nil, because: String? = nil
    ) -> ControlRequest {
        .setException(
            ExceptionParameters(date: date, prayer: prayer, adhan: adhan, iqama: iqama, reason: because))
    }

    @Test("An exception is set, listed, replaced and removed, and outlives a restart")
    func exceptions() throws {
        var box = try Box()
        let response = box.ask(
            exception("2026-11-27", "maghrib", "16:40", iqama: "16:50", because: "a wedding"))
        #expect(
            response?.changeReply?.message
                == "Maghrib on Friday 27 November 2026: 16:40, iqama 16:50 (a wedding)"
        )
        #expect(box.notices.last { $0.kind == .exceptionChanged }?.message == response?.changeReply?.message)
        box.ask(exception("2026-11-22", "fajr", iqama: "06:10"))
        let second = box.ask(exception("2026-11-27", "maghrib", "16:45"))?.changeReply
        #expect(second?.problems?.contains { $0.contains("(iqama 16:50) no longer applies") } == true)
        let disk = try #require(box.disk)
        let restored = try SavedState(fileBytes: disk.fileBytes())
        #expect(restored.exceptions == disk.exceptions)
        var again = try Box("2026-11-20T13:00:00-05:00", disk: restored)
        guard case .document(let document)? = again.ask(.getExceptions, as: 1234),
            let reply = document as? ExceptionsReply
        else { throw NotAnInstant(text: "no exceptions") }
        #expect(reply.exceptions.map(\.date) == ["2026-11-22", "2026-11-27"])
        #expect(reply.exceptions[1].adhan == "16:45" && reply.exceptions[1].iqama == nil)
        let named = ExceptionNameParameters(date: "2026-11-27", prayer: "maghrib")
        #expect(
            again.ask(.removeException(named))?.changeReply?.message
                == "Maghrib on Friday 27 November 2026 is as usual again")
        #expect(again.state.saved.exceptions.all.map(\.prayer) == [.fajr])
        #expect(
            again.ask(.removeException(named))?.refusal?.sentence
                == "there is no exception for Maghrib on Friday 27 November 2026")
    }

    @Test(
        "A second exception replaces the first, is checked against the day without it, and says what it drops",
        arguments: [
            // Isha is computed at 17:50. The remainder after the second command, or the reason of its refusal.
            (("17:30", nil), (nil, "17:35"), nil, "the iqama would be before the adhan at 17:50"),
            (("18:10", nil), (nil, "18:00"), (nil, "18:00"), "earlier exception (18:10) no longer applies"),
            ((nil, "18:00"), ("18:10", nil), ("18:10", nil), "(iqama 18:00) no longer applies"),
            (("18:10", "18:20"), (nil, "17:55"), (nil, "17:55"), "(18:10) no longer applies"),
            (("18:10", nil), ("18:05", "18:07"), ("18:05", "18:07"), nil),
            (("18:10", "18:20"), ("18:15", "18:12"), nil, "the iqama would be before the adhan at 18:15"),
        ] as [((String?, String?), (String?, String?), (String?, String?)?, String?)])
    func sequences(
        first: (String?, String?), second: (String?, String?), left: (String?, String?)?, problem: String?
    ) throws {
        var box = try Box()
        #expect(
            box.ask(exception("2026-11-27", "isha", first.0, iqama: first.1))?.changeReply?.problems == nil)
        let answer = box.ask(exception("2026-11-27", "isha", second.0, iqama: second.1))
        let set = try #require(box.state.saved.exceptions.all.first)
        let times = left ?? first
        #expect(
            set.adhanMinutes == times.0.flatMap(ClockText.parse)
                && set.iqamaMinutes == times.1.flatMap(ClockText.parse))
        guard left != nil else {
            guard case .invalidTime(_, let why)? = answer?.refusal else {
                Issue.record("not refused")
                return
            }
            #expect(why.hasPrefix(problem ?? "?"))
            #expect(why.contains("give both in one command") == (first.0 != nil && second.0 == nil))
            return
        }
        #expect(
            answer?.changeReply?.problems?.contains { $0.contains(problem ?? "?") } ?? false
                == (problem != nil))
        // In force: never an iqama before its adhan.
        let day = box.state.inputs.site.times.day(try #require(CivilDate("2026-11-27")))
        let isha = try #require(day[.isha])
        #expect(day.congregations[.isha].map { isha <= $0.at } ?? true)
        box.ask(.removeException(ExceptionNameParameters(date: "2026-11-27", prayer: "isha")))
        #expect(box.state.saved.exceptions.isEmpty)
    }

    @Test("A prayer after the next one is set, and told: they may be joined")
    func joined() throws {
        var box = try Box()
        let response = box.ask(exception("2026-11-27", "maghrib", "18:30"))?.changeReply
        #expect(
            response?.problems == [
                "Maghrib is now after Isha at 17:50; unless they are joined, set that as well"
            ])
        box.ask(exception("2026-11-27", "isha", "18:30"))
        #expect(box.ask(exception("2026-11-27", "maghrib", "18:30"))?.changeReply?.problems == nil)
        let noon = box.ask(exception("2026-11-26", "dhuhr", "15:30"))?.changeReply
        #expect(noon?.problems?.first?.hasPrefix("Dhuhr is now after Asr at") == true)
    }

    @Test(
        "What cannot be meant is refused with the reason, and nothing is kept",
        arguments: [
            ("2026-11-27", "maghrib", "08:31", nil, "Maghrib would be before asr (14:49)"),
            ("2026-11-27", "isha", "07:30", nil, "Isha would be after the next day's fajr (05:36)"),
            ("2026-11-27", "fajr", "17:30", nil, "Fajr would be after sunrise (06:56)"),
            ("2026-11-27", "asr", "03:00", nil, "Asr would be before dhuhr (11:43)"),
            ("2026-11-27", "jumua", "01:00", nil, "Jumu'ah would be before sunrise (06:56)"),
            (
                "2026-11-28", "jumua", "13:00", nil,
                "it is Saturday 28 November 2026, and Jumu'ah is on Fridays"
            ),
            ("2026-11-27", "isha", nil, "17:00", "the iqama would be before the adhan at 17:50"),
            ("2026-11-27", "isha", "18:10", "18:00", "the iqama would be before the adhan at 18:10"),
            ("2026-11-27", "fajr", nil, "07:10", "the iqama would be after sunrise (06:56)"),
            ("2026-11-10", "fajr", "05:10", nil, "the day is past"),
            ("2026-02-30", "fajr", "05:10", nil, "write a date that exists as YYYY-MM-DD"),
            ("2026-11-27", "fajr", "5.10", nil, "write a time of day such as 18:31, 00:00 to 23:59"),
            ("2026-11-27", "fajr", nil, "24:00", "write a time of day such as 18:31, 00:00 to 23:59"),
        ] as [(String, String, String?, String?, String)])
    func refused(date: String, prayer: String, adhan: String?, iqama: String?, reason: String) throws {
        var box = try Box()
        guard case .invalidTime(_, let why)? = box.ask(exception(date, prayer, adhan, iqama: iqama))?.refusal
        else {
            Issue.record("not refused: \(prayer) \(adhan ?? "") \(iqama ?? "")")
            return
        }
        #expect(why == reason)
        #expect(box.state.saved.exceptions.isEmpty)
    }

    @Test("What is possible and seldom meant is said: a maghrib before sunset, and what was called already")
    func cautions() throws {
        var box = try Box("2026-11-20T18:30:00-05:00")
        let early = box.ask(exception("2026-11-27", "maghrib", "16:20"))
        #expect(
            early?.changeReply?.problems == [
                "this maghrib is 10 min before the sun sets (16:30), and people break their fast by it"
            ])
        #expect(box.ask(exception("2026-11-27", "maghrib", "16:28"))?.changeReply?.problems == nil)
        var state = SavedState(since: try instant("2026-11-01T00:00:00-05:00"))
        state.setOutcome(
            .played, of: .adhan(.isha, on: try #require(CivilDate("2026-11-20"))),
            at: try instant("2026-11-20T17:50:00-05:00"))
        var evening = try Box("2026-11-20T18:30:00-05:00", disk: state)
        #expect(
            evening.ask(exception("2026-11-20", "isha", "19:30"))?.changeReply?.problems == [
                "Isha of this day has been called already, and is not called again"
            ])
    }

    @Test("Strangers may look, and change nothing")
    func strangers() throws {
        var box = try Box()
        #expect(box.ask(.getExceptions, as: 1234)?.refusal == nil)
        #expect(box.ask(.getHijriPins, as: 1234)?.refusal == nil)
        let changing: [ControlRequest] = [
            exception("2026-11-27", "fajr", "05:40"), .hijriSighted(date: nil), .hijriComplete(date: nil),
            .removeHijriPin(month: "1448-07"), .reloadTimetable,
            .removeException(.init(date: "2026-11-27", prayer: "fajr")),
        ]
        for request in changing {
            guard case .notPermitted? = box.ask(request, as: 1234)?.refusal else {
                Issue.record("permitted: \(request)")
                continue
            }
        }
    }

    @Test("A program that runs wild cannot fill the state")
    func tooMany() throws {
        var box = try Box()
        let first = try #require(CivilDate("2026-11-21"))
        for index in 0..<DayExceptions.most {
            #expect(
                box.ask(exception(first.adding(days: index).description, "dhuhr", "13:00"))?.changeReply
                    != nil)
        }
        #expect(box.ask(exception("2028-01-01", "dhuhr", "13:00"))?.refusal != nil)
        #expect(box.ask(exception("2026-11-21", "dhuhr", "13:05"))?.changeReply != nil)
    }

    @Test(
        "The crescent is sighted after maghrib on the 29th, the word withdrawn, and thirty days said instead"
    )
    func months() throws {
        // Umm al-Qura: 1 Rajab 1448 is 2026-12-10.
        var box = try Box("2026-12-09T18:00:00-05:00")
        let rajab = try #require(HijriMonth("1448-07"))
        #expect(
            box.ask(.hijriSighted(date: nil))?.changeReply?.message
                == "1 Rajab 1448 is Thursday 10 December 2026; it begins with the evening of Wednesday 9 December 2026"
        )
        #expect(
            box.ask(.removeHijriPin(month: "1448-07"))?.changeReply?.message
                == "undone: 1 Rajab 1448 is Thursday 10 December 2026")
        box.ask(.hijriComplete(date: nil))
        let first = box.state.inputs.site.calculation.hijri.firstDay(of: rajab)
        #expect(first.description == "2026-12-11")
        // After midnight the evening is still that of the ninth.
        var night = try Box("2026-12-10T01:30:00-05:00")
        night.ask(.hijriSighted(date: nil))
        #expect(night.state.saved.pins[rajab] == CivilDate("2026-12-10"))
        var again = try Box(
            "2026-12-10T01:40:00-05:00", disk: try SavedState(fileBytes: #require(box.disk).fileBytes()))
        #expect(again.state.inputs.site.calculation.hijri.firstDay(of: rajab).description == "2026-12-11")
        again.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(again.state.inputs.site.calculation.hijri.firstDay(of: rajab).description == "2026-12-11")
    }

    @Test("A month is complete from the evening of its 29th on, and on the first two days the one before is")
    func completeTooEarly() throws {
        // 13 Jumada al-Akhirah 1448.
        var early = try Box("2026-11-23T18:00:00-05:00")
        guard case .invalidTime(let value, let reason)? = early.ask(.hijriComplete(date: nil))?.refusal else {
            Issue.record("a month of which nobody knows was taken as complete")
            return
        }
        #expect(value == "2026-11-23" && reason.contains("it is 13 Jumada al-Akhirah 1448"))
        #expect(reason.contains("which is Wednesday 9 December 2026"))
        #expect(
            ControlError.invalidTime(value: value, reason: "x").sentence
                == "cannot use the date \"2026-11-23\": x")
        #expect(early.state.saved.pins.isEmpty)
        for day in ["2026-12-09", "2026-12-10", "2026-12-11"] {
            var box = try Box("2026-12-09T18:00:00-05:00")
            #expect(box.ask(.hijriComplete(date: day))?.refusal == nil, "\(day)")
        }
    }

    @Test("What no calendar can have is refused")
    func impossibleMonths() throws {
        var box = try Box("2026-12-09T18:00:00-05:00")
        guard case .invalidTime(_, let reason)? = box.ask(.hijriSighted(date: "2026-12-20"))?.refusal else {
            Issue.record("sighted in the middle of a month")
            return
        }
        #expect(reason.hasPrefix("no month begins with the evening of Sunday 20 December 2026"))
        box.ask(.hijriSighted(date: "2026-12-08"))
        guard case .invalidTime(_, let length)? = box.ask(.hijriSighted(date: "2027-01-09"))?.refusal else {
            Issue.record("a month of 32 days")
            return
        }
        #expect(length.hasPrefix("Rajab 1448 would have 32 days"))
        #expect(
            box.ask(.removeHijriPin(month: "1448-09"))?.refusal?.sentence
                == "nobody has said when Ramadan 1448 begins")
        #expect(box.ask(.removeHijriPin(month: "Ramadan"))?.refusal == .invalidParameter(parameter: "month"))
    }
}
