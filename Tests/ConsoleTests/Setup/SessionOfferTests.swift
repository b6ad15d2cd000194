import Testing

@testable import Console
@testable import Protocol

@Suite("What setup offers at a desktop")
struct SessionOfferTests {
    private func offer(
        forMachine: Bool = false, _ change: (inout SessionOffer.Facts) -> Void = { _ in }
    ) -> SessionOffer {
        var facts = SessionOffer.Facts()
        (facts.soundServer, facts.hasUnit) = ("PipeWire", true)
        change(&facts)
        return SessionOffer(facts, forMachine: forMachine)
    }

    private func text(_ offer: SessionOffer) -> String {
        switch offer {
        case .none: "none"
        case .note(let text): "note: \(text)"
        case .question(let text): "question: \(text)"
        }
    }

    @Test("A person in a session with a sound server is asked")
    func asked() {
        #expect(text(offer()).hasPrefix("question: PipeWire runs in your session. Start adhand in it, now"))
        #expect(SessionOffer.typed.contains("systemctl --user enable --now adhand.service"))
        #expect(SessionOffer.typed.hasSuffix("loginctl enable-linger"))
    }

    @Test("Nobody is asked without a sound server, without the unit, or when it runs already")
    func notAsked() {
        #expect(offer { $0.soundServer = nil } == .none)
        #expect(offer { $0.hasUnit = false } == .none)
        #expect(offer { $0.isRunning = true } == .none)
        #expect(offer(forMachine: true) { $0.soundServer = nil } == .none)
    }

    @Test("Never both at once: beside the machine's adhand nothing is started, and it is said what to do")
    func neverBoth() {
        for isRunning in [false, true] {
            let text = text(offer { ($0.hasSystemService, $0.isRunning) = (true, isRunning) })
            #expect(text.hasPrefix("note: The machine's own adhand is at work"))
            #expect(text.contains("sudo systemctl disable --now adhand.service adhand.socket"))
        }
    }

    @Test("Who sets up the machine's adhand beside a desktop reads of the other way")
    func machine() {
        let text = text(offer(forMachine: true) { $0.owner = "anna" })
        #expect(
            text.hasPrefix("note: Note: PipeWire runs in the session of anna and may hold the sound card"))
    }
}

@Suite("Who holds the sound card")
struct CardHolderTests {
    @Test("What Linux says of an output and of a thread is understood")
    func reading() {
        let status = "state: RUNNING\nowner_pid   : 812\ntrigger_time: 71.2\n"
        #expect(CardHolder.process(inStatus: status) == 812)
        #expect(CardHolder.process(inStatus: "closed\n") == nil)
        let thread = "Name:\tdata-loop.0\nTgid:\t809\nPid:\t812\nUid:\t1000\t1000\t1000\t1000\n"
        let owner = CardHolder.owner(inStatus: thread)
        #expect(owner?.process == 809 && owner?.user == 1000)
        #expect(CardHolder.owner(inStatus: "Name:\tx\n") == nil)
    }
}
