import Foundation
import LabSupport
import Testing

@testable import MQTT

struct SessionTests {
    @Test("A publication arrives with all its properties")
    func whatIsPublishedArrivesWithAllThatBelongsToIt() throws {
        let broker = try Broker()
        let listener = Client(.test(broker.port, follow: ["house/#"]))
        let speaker = Client(.test(broker.port))
        #expect(listener.isConnected() && speaker.isConnected())
        let question = MQTTPublication(
            topic: "house/question", payload: Array("tea?".utf8), expirySeconds: 60,
            correlationData: [0, 1, 255], responseTopic: "house/answer")
        #expect(speaker.session.publish(question, number: 7) == .accepted)
        #expect(speaker.wait { $0 == .delivered(7, nil) } != nil)
        #expect(
            listener.message(topic: "house/question")
                == MQTTMessage(
                    topic: "house/question", payload: Array("tea?".utf8), isRetained: false,
                    responseTopic: "house/answer", correlationData: [0, 1, 255]))
    }

    @Test("Messages arrive in the order in which they were published")
    func theOrderIsKept() throws {
        let broker = try Broker()
        let listener = Client(.test(broker.port, follow: ["n"]))
        let speaker = Client(.test(broker.port))
        #expect(listener.isConnected() && speaker.isConnected())
        let numbers = 0..<150
        for number in numbers {
            #expect(speaker.session.publish(.init(topic: "n", payload: Array("\(number)".utf8))) == .accepted)
        }
        let last = listener.wait {
            if case .received(let message) = $0 { message.payload == Array("149".utf8) } else { false }
        }
        #expect(last != nil)
        let received = listener.events.compactMap {
            if case .received(let message) = $0 {
                Int(String(decoding: message.payload, as: UTF8.self))
            } else {
                nil
            }
        }
        #expect(received == Array(numbers))
    }

    /// Also one that is published while the session stands, as MQTT 5 hides that unless it is asked.
    @Test("Retained messages are recognised, also those published during the session")
    func retainedMessagesAreKnownAsSuch() throws {
        let broker = try Broker()
        let speaker = Client(.test(broker.port))
        let early = Client(.test(broker.port, follow: ["cmd/#"]))
        #expect(speaker.isConnected() && early.isConnected())
        speaker.session.publish(.init(topic: "cmd/mute", payload: [1], isRetained: true))
        #expect(early.message(topic: "cmd/mute")?.isRetained == true)
        let late = Client(.test(broker.port, follow: ["cmd/#"]))
        #expect(late.message(topic: "cmd/mute")?.isRetained == true)
        speaker.session.publish(.init(topic: "cmd/stop", payload: [1]))
        #expect(late.message(topic: "cmd/stop")?.isRetained == false)
    }

    @Test("A wrong password is reported as such")
    func wrongPasswordIsKnownAsSuch() throws {
        let broker = try Broker(.password(user: "adhand", password: "right"))
        var settings = SessionSettings.test(broker.port)
        (settings.username, settings.password) = ("adhand", "wrong")
        let wrong = Client(settings)
        // mosquitto answers so to a wrong password and to none.
        #expect([.wrongPassword, .notAuthorized].contains(wrong.refusal()))
        settings.password = "right"
        let right = Client(settings)
        #expect(right.isConnected())
    }

    @Test("An encrypted session connects")
    func anEncryptedSessionStands() throws {
        let authority = try TestAuthority()
        let broker = try Broker(.tls(authority, asksForCertificate: false))
        let client = Client(.test(broker.port, follow: ["x"]).encrypted(authority))
        #expect(client.isConnected())
        client.session.publish(.init(topic: "x", payload: Array(repeating: 7, count: 12_000)))
        #expect(client.message(topic: "x")?.payload.count == 12_000)
    }

    @Test("A broker's certificate of another authority is refused")
    func aCertificateOfAnotherAuthorityIsRefused() throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        let broker = try Broker(.tls(authority, asksForCertificate: false))
        withExtendedLifetime(other) {
            #expect(Client(.test(broker.port).encrypted(other)).refusal() == .brokerCertificate)
        }
    }

    @Test("A broker's certificate for another name is refused")
    func aCertificateForAnotherNameIsRefused() throws {
        let authority = try TestAuthority(broker: "elsewhere.example")
        let broker = try Broker(.tls(authority, asksForCertificate: false))
        let client = Client(.test(broker.port).encrypted(authority))
        #expect(client.refusal() == .brokerCertificate)
    }

    @Test("A broker may require a client certificate")
    func aBrokerMayAskForACertificate() throws {
        let authority = try TestAuthority()
        let broker = try Broker(.tls(authority, asksForCertificate: true))
        // The broker says why, and closes at once. Where a write comes before that is read, the library reports a lost connection
        // and no reason: so the reason may come with a later attempt.
        let without = Client(.test(broker.port).encrypted(authority))
        let refusal = without.wait { event in
            if case .refused(let error, _, _) = event { error != .connectionLost } else { false }
        }
        guard case .refused(.clientCertificate, _, _) = refusal else {
            Issue.record("\(without.events)")
            return
        }
        let with = Client(.test(broker.port).encrypted(authority, withCertificate: true))
        #expect(with.isConnected())
    }

    @Test("Certificate files that cannot be read are reported")
    func filesThatCannotBeReadAreSaidSo() throws {
        let authority = try TestAuthority()
        let broker = try Broker(.tls(authority, asksForCertificate: false))
        var settings = SessionSettings.test(broker.port).encrypted(authority)
        settings.certificates.caFile = "/nonexistent/ca.crt"
        #expect(Client(settings).refusal() == .certificateFile)
    }

    @Test("The session reconnects to a broker that was killed and started again")
    func aBrokerThatWasKilledIsFoundAgain() throws {
        let broker = try Broker()
        let client = Client(.test(broker.port, follow: ["x"]))
        #expect(client.isConnected())
        broker.kill()
        #expect(client.loss() == .connectionLost)
        #expect(client.session.publish(.init(topic: "x", payload: [1])) == .notConnected)
        #expect(client.refusal() == .connectionRefused)
        try broker.start()
        let seen = client.events.count
        #expect(client.isConnected(from: seen))
        client.session.publish(.init(topic: "x", payload: [2]))
        #expect(client.message(from: seen, topic: "x")?.payload == [2])
    }

    @Test("The brokers of a list are tried in turn")
    func theListIsTriedInTurn() throws {
        let broker = try Broker()
        var settings = SessionSettings.test(broker.port)
        let nobody = try FreePort.find()
        settings.brokers.insert(.init(host: "127.0.0.1", port: nobody, isEncrypted: false), at: 0)
        settings.brokers.insert(.init(host: "no.such.host.invalid", port: 1883, isEncrypted: false), at: 0)
        let client = Client(settings)
        #expect(client.wait { $0 == .connected(broker: 2) } != nil)
        #expect(
            client.events.prefix(2) == [
                .refused(.nameNotFound, broker: 0, pauseSeconds: 0),
                .refused(.connectionRefused, broker: 1, pauseSeconds: 0),
            ])
    }

    @Test("A takeover is recognised by its reason code")
    func aTakeoverIsKnownByItsCode() throws {
        let fake = try FakeServer { connection in
            _ = connection.read()
            // CONNACK of MQTT 5, then DISCONNECT: session taken over.
            connection.write([0x20, 0x03, 0x00, 0x00, 0x00, 0xE0, 0x02, 0x8E, 0x00])
            while !connection.read().isEmpty {}
        }
        let client = Client(.test(fake.port))
        #expect(client.isConnected())
        #expect(client.loss() == .takenOver)
    }

    /// mosquitto 2.0.11 closes the older connection without a word; others say why.
    @Test("A second client of the same name ends the session of the first")
    func aSecondClientOfThatNameEndsTheFirstsSession() throws {
        let broker = try Broker()
        let first = Client(.test(broker.port, id: "adhand-1"))
        #expect(first.isConnected())
        let second = Client(.test(broker.port, id: "adhand-1"))
        #expect(second.isConnected())
        #expect([.takenOver, .connectionLost].contains(first.loss()))
    }

    @Test("A broker that speaks only an older MQTT is reported as such")
    func aBrokerThatSpeaksOnlyAnOlderMQTTIsKnownAsSuch() throws {
        let old = try FakeServer { connection in
            _ = connection.read()
            // CONNACK of MQTT 3.1.1: unacceptable protocol version.
            connection.write([0x20, 0x02, 0x00, 0x01])
        }
        #expect(Client(.test(old.port)).refusal() == .protocolVersion)
    }

    @Test("A broker that never answers is given up")
    func aBrokerThatSaysNothingIsGivenUp() throws {
        let silent = try FakeServer { connection in while !connection.read().isEmpty {} }
        #expect(Client(.test(silent.port)).refusal(seconds: 25) == .timedOut)
    }

    @Test("A broker that never begins the encryption is given up")
    func aBrokerThatBeginsNoEncryptionIsGivenUp() throws {
        let authority = try TestAuthority()
        let silent = try FakeServer { connection in while !connection.read().isEmpty {} }
        #expect(Client(.test(silent.port).encrypted(authority)).refusal(seconds: 25) == .timedOut)
    }

    @Test(
        "An answer that is not MQTT ends the attempt",
        arguments: [[0x20, 0xFF, 0xFF, 0xFF, 0x7F], [0x20, 0x03, 0x00, 0x00, 0x55], [0xFF], []] as [[UInt8]])
    func nonsenseEndsTheAttempt(answer: [UInt8]) throws {
        let odd = try FakeServer { connection in
            _ = connection.read()
            connection.write(answer)
        }
        #expect(Client(.test(odd.port)).refusal(seconds: 25) != nil)
    }

    @Test("The will is published unless the client said goodbye")
    func theWillIsPublishedUnlessGoodbyeWasSaid() throws {
        let broker = try Broker()
        let listener = Client(.test(broker.port, follow: ["status"]))
        #expect(listener.isConnected())
        var settings = SessionSettings.test(broker.port, id: "adhand-2")
        settings.will = .init(topic: "status", payload: Array("offline".utf8), isRetained: true)
        let polite = Client(settings)
        #expect(polite.isConnected())
        polite.session.publish(.init(topic: "status", payload: Array("online".utf8)))
        polite.session.stop(farewell: .init(topic: "status", payload: Array("bye".utf8)))
        #expect(polite.wait { $0 == .stopped } != nil)
        #expect(listener.wait { isPayload($0, "bye") } != nil)
        let rude = Client(settings)
        #expect(rude.isConnected())
        // A takeover ends the session without a goodbye.
        let heir = Client(.test(broker.port, id: "adhand-2"))
        #expect(heir.isConnected())
        #expect(listener.wait { isPayload($0, "offline") } != nil)
        let texts = listener.events.compactMap { event in
            if case .received(let message) = event {
                String(decoding: message.payload, as: UTF8.self)
            } else {
                nil
            }
        }
        #expect(texts.prefix(3) == ["online", "bye", "offline"])
    }

    @Test("A session stops quickly while its broker hangs")
    func stoppingIsQuickWhateverHangs() throws {
        let silent = try FakeServer { connection in while !connection.read().isEmpty {} }
        let client = Client(.test(silent.port))
        Thread.sleep(forTimeInterval: 0.3)
        client.session.stop()
        #expect(client.wait(seconds: 3) { $0 == .stopped } != nil)
    }

    @Test("The queue for a broker that acknowledges nothing is bounded")
    func aBrokerThatTakesNothingOverMakesNoEndlessQueue() throws {
        let broker = try Broker()
        let client = Client(.test(broker.port))
        #expect(client.isConnected())
        broker.suspend()
        defer { broker.resume() }
        var answers: [MQTTSession.Acceptance] = []
        for number in 0..<600 {
            answers.append(client.session.publish(.init(topic: "x", payload: [0]), number: number))
        }
        #expect(answers.first == .accepted)
        #expect(answers.last == .full)
        #expect(answers.filter { $0 == .accepted }.count <= MQTTSession.mostQueued + SessionLoop.mostInFlight)
    }

    /// It answers the connection, and after that nothing.
    @Test("The session leaves a broker that acknowledges nothing")
    func aBrokerThatTakesNothingOverIsLeft() throws {
        let fake = try FakeServer { connection in
            _ = connection.read()
            connection.write([0x20, 0x03, 0x00, 0x00, 0x00])
            while !connection.read().isEmpty {}
        }
        var settings = SessionSettings.test(fake.port)
        settings.acknowledgementSeconds = 0.5
        let client = Client(settings)
        #expect(client.isConnected())
        Thread.sleep(forTimeInterval: 1)
        #expect(client.session.publish(.init(topic: "x", payload: [1]), number: 4) == .accepted)
        #expect(client.wait(seconds: 5) { $0 == .delivered(4, .connectionLost) } != nil)
        #expect(client.loss() == .timedOut)
    }

    @Test("A session without traffic stays connected and reports nothing")
    func itSleepsWhileNothingHappens() throws {
        let broker = try Broker()
        var settings = SessionSettings.test(broker.port)
        settings.keepaliveSeconds = 5
        let client = Client(settings)
        #expect(client.isConnected())
        // Two keepalives: the broker would have closed after one and a half.
        Thread.sleep(forTimeInterval: 13)
        #expect(client.session.isConnected)
        #expect(client.events.count == 1)
    }

    private func isPayload(_ event: MQTTEvent, _ text: String) -> Bool {
        if case .received(let message) = event { message.payload == Array(text.utf8) } else { false }
    }
}
