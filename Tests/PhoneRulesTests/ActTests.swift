import PhoneRules
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Acts that forms ask for")
struct ActTests {
    private func read(_ route: Route.Name, _ form: String, _ role: Role = .household) throws -> Act? {
        try Act.read(route, Form(form.utf8), role: role)
    }

    private func refusal(_ route: Route.Name, _ form: String, _ role: Role = .household) -> String? {
        do {
            _ = try read(route, form, role)
            return nil
        } catch let refusal as FieldRefusal {
            return "\(refusal.field) \(refusal.code)"
        } catch {
            return "form"
        }
    }

    @Test("A mute has an end: after a time, at a prayer, at the next adhan, at a time of the clock")
    func mutes() throws {
        #expect(try read(.mute, "for=30m") == .mute(.seconds(1800)))
        #expect(try read(.mute, "for=24h") == .mute(.seconds(86_400)))
        #expect(try read(.mute, "for=168h", .keeper) == .mute(.seconds(604_800)))
        #expect(try read(.mute, "until=isha") == .mute(.prayer(.isha)))
        #expect(try read(.mute, "until=next") == .mute(.next))
        #expect(try read(.mute, "for=&until=22%3A30") == .mute(.time(1350)))
    }

    @Test(
        "A field that cannot be used is named, with the reason",
        arguments: [
            (.mute, "", "until missing"), (.mute, "for=24h1s", "for range"), (.mute, "for=0s", "for format"),
            (.mute, "for=ever", "for format"), (.mute, "for=1h&for=2h", "for missing"),
            (.mute, "until=24%3A00", "until format"),
            (.prayers, "prayer=isha", "enabled missing"),
            (.prayers, "prayer=tea&enabled=yes", "prayer unknown"),
            (.prayers, "prayer=isha&enabled=maybe", "enabled unknown"),
            (.test, "prayer=Isha", "prayer unknown"),
            (.exception, "date=2026-12-01&prayer=isha", "iqama missing"),
            (.exception, "date=2026-02-30&prayer=isha&adhan=18%3A00", "date format"),
            (.exception, "date=2026-12-01&prayer=isha&adhan=18%3A00&reason=a%0Ab%1B", "reason format"),
            (.removeException, "prayer=isha", "date missing"), (.hijri, "do=guess", "do unknown"),
            (.announcement, "until=2026-12-01&show=board", "text missing"),
            (.announcement, "text=a&until=2026-12-01", "show missing"),
            (.announcement, "text=a&until=2026-12-01&show=wall", "show unknown"),
            (.announcement, "text=a&until=tomorrow&show=board", "until format"),
            (.takeTimetable, "replace=none", "replace unknown"), (.set, "Adhan.x=1", "Adhan.x unknown"),
            (.set, "iqama=soon&prayer=isha&from=2026-12-01", "iqama format"),
            (.set, "iqama=20%3A15&from=2026-12-01", "prayer missing"),
            (.set, "jumua=&congregation=", "jumua missing"),
            (.set, "remove=adhan.sound&index=0&mark=a", "remove unknown"),
            (.set, "remove=jumua.slot&index=0", "mark missing"), (.set, "key=A+b&value=1", "key unknown"),
            (.announcement, "text=a&until=2026-12-01&show=board&picture=..%2Fx", "picture format"),
            (.set, "a%2Fb=1", "a/b unknown"), (.set, "adhan.x=1&adhan.x=2", "adhan.x unknown"),
            (.set, "adhan.x=1&expect=-1", "expect format"), (.undo, "change=x", "change format"),
            (.heard, "device=hw&heard=perhaps", "heard unknown"), (.revoke, "", "id missing"),
            (.enterCode, "code=123456", "name missing"), (.enterCode, "name=a", "code missing"),
            (.enterCode, "code=123456&name=a%0D%0Ab", "name format"),
            (.answerSetup, "place=x", "step missing"),
        ] as [(Route.Name, String, String)])
    func refused(_ route: Route.Name, _ form: String, _ refused: String) {
        #expect(refusal(route, form, .household) == refused)
    }

    @Test("Each act of a form is read into what it asks for")
    func acts() throws {
        let day = CivilDate(year: 2026, month: 12, day: 1)!
        #expect(try read(.unmute, "") == .unmute && read(.stop, "x=1") == .stop && read(.leave, "") == .leave)
        #expect(try read(.prayers, "prayer=jumua&enabled=no") == .setPrayer(.jumua, enabled: false))
        #expect(try read(.test, "prayer=fajr") == .test(.fajr))
        #expect(
            try read(.exception, "date=2026-12-01&prayer=asr&adhan=14%3A30&iqama=14%3A45&reason=a+wedding")
                == .exception(day, .asr, adhan: 870, iqama: 885, reason: "a wedding"))
        #expect(
            try read(.exception, "date=2026-12-01&prayer=asr&adhan=&iqama=14%3A45&reason=")
                == .exception(day, .asr, adhan: nil, iqama: 885, reason: nil))
        #expect(try read(.removeException, "date=2026-12-01&prayer=asr") == .removeException(day, .asr))
        #expect(try read(.hijri, "do=complete&date=") == .hijri(.complete, nil))
        #expect(try read(.undo, "") == .undo(nil) && read(.undo, "change=14") == .undo(14))
        #expect(try read(.heard, "device=Speaker&heard=yes") == .heard(device: "Speaker", true))
        #expect(try read(.revoke, "id=ab") == .revoke("ab") && read(.undoTimetable, "") == .undoTimetable)
        #expect(try read(.takeTimetable, "replace=dates") == .takeTimetable(.dates, mark: nil))
        #expect(try read(.takeTimetable, "replace=all&mark=7") == .takeTimetable(.all, mark: 7))
        #expect(try read(.removeAnnouncement, "index=2&mark=ff") == .removeAnnouncement(index: 2, mark: "ff"))
        #expect(
            try read(.set, "key=adhan.sound&value=x&page=sounds&expect=3")
                == .set([Act.Change(key: "adhan.sound", value: "x")], expect: 3))
        #expect(
            try read(.set, "jumua=13%3A10&congregation=13%3A30&adhan=&expect=3")
                == .addSlot(.init(texts: [("khutba", "13:10"), ("prayer", "13:30")]), expect: 3))
        #expect(
            try read(.set, "remove=iqama.change&index=2&mark=ff")
                == .removeRow(table: "iqama.change", index: 2, mark: "ff", expect: nil))
        #expect(try read(.removeSound, "name=our+adhan") == .removeSound("our adhan"))
        #expect(
            try read(.answerSetup, "step=place&place=Bonn")
                == .setup(step: "place", [Form.Field("place", "Bonn")]))
        guard
            case .announcement(let text)? = try read(
                .announcement,
                "text=Two%0D%0Alines&from=2026-12-01T08%3A00&until=2026-12-01&show=board&show=bar")
        else { throw AccessTests.Wrong() }
        #expect(
            text.text == "Two\r\nlines" && text.from == "2026-12-01T08:00" && text.show == ["board", "bar"])
    }

    @Test("Marks of direction belong to texts; overrides do not, and the refusal names the character")
    func characters() throws {
        let arabic = "text=%E2%80%8F%D8%A8%D8%A7%D8%B2%D8%A7%D8%B1%E2%80%8E&until=2026-11-29&show=board"
        #expect(try read(.announcement, arabic, .keeper) != nil)
        do throws(FieldRefusal) {
            _ = try Act.read(
                .announcement, try! Form("text=a%E2%80%AEb&until=2026-11-29&show=board".utf8), role: .keeper)
            Issue.record("an override is taken")
        } catch {
            #expect(error.field == "text" && error.reason == "it has the invisible character U+202E")
        }
    }

    @Test("A key goes before a code: the script fills it in where the QR code had one")
    func proof() throws {
        let name = PhoneName("a")!
        #expect(try read(.enterCode, "code=123456&key=&name=a") == .pair(.code("123456"), name))
        #expect(try read(.enterCode, "code=&key=00ff&name=a") == .pair(.key("00ff"), name))
    }

    @Test("An address for messages is set, tried and removed; to look is no act")
    func messages() throws {
        let set = try read(.setMessages, "do=set&address=ntfy.sh%2Four-mosque")
        #expect(set == .setMessages(MessagesRequest(.set, address: "ntfy.sh/our-mosque")))
        #expect(try read(.setMessages, "do=test") == .setMessages(MessagesRequest(.test)))
        #expect(try read(.setMessages, "do=remove&address=x") == .setMessages(MessagesRequest(.remove)))
        #expect(throws: FieldRefusal("address", .missing)) { try read(.setMessages, "do=set") }
        for act in ["show", "forget-fleet"] {
            #expect(throws: FieldRefusal("do", .unknown)) { try read(.setMessages, "do=\(act)") }
        }
    }

    @Test("Every act with a form is read, and no page or upload is", arguments: Route.all)
    func routes(_ route: Route) {
        let isRead = route.isAct && route.body == .form
        do {
            let act = try Act.read(route.name, Form(fields: []), role: .keeper)
            #expect((act != nil) == isRead)
        } catch {
            #expect(isRead)
        }
    }
}
