import Testing

@testable import MQTT

struct ReconnectPolicyTests {
    @Test("Pauses between attempts double, up to a minute")
    func pausesDoubleUpToAMinute() {
        var policy = ReconnectPolicy()
        let pauses = (0..<9).map { _ in policy.nextPause(after: .connectionRefused, at: 0, chance: 0.5) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test("Chance spreads the pauses by a fifth", arguments: [(0.0, 0.8), (0.5, 1.0), (1.0, 1.2)])
    func chanceSpreadsThemByAFifth(chance: Double, expected: Double) {
        var policy = ReconnectPolicy()
        #expect(abs(policy.nextPause(after: .timedOut, at: 0, chance: chance) - expected) < 1e-9)
    }

    @Test("After a session that lasted, pauses start again at one second")
    func aSessionThatStoodBeginsAnew() {
        var policy = ReconnectPolicy()
        for _ in 0..<4 { _ = policy.nextPause(after: .connectionRefused, at: 0, chance: 0.5) }
        policy.connected(at: 100)
        #expect(policy.nextPause(after: .connectionLost, at: 105, chance: 0.5) == 16)
        policy.connected(at: 200)
        #expect(policy.nextPause(after: .connectionLost, at: 230, chance: 0.5) == 1)
    }

    @Test("Three takeovers within ten minutes count as a clone")
    func threeTakeoversWithinTenMinutesAreAClone() {
        var policy = ReconnectPolicy()
        for time in [0.0, 100] { _ = policy.nextPause(after: .takenOver, at: time, chance: 0.5) }
        #expect(!policy.isCloned(at: 100))
        #expect(policy.nextPause(after: .takenOver, at: 200, chance: 0.5) == 900)
        #expect(policy.isCloned(at: 200))
        #expect(policy.nextPause(after: .connectionLost, at: 1200, chance: 0.5) == 900)
        // An hour after the last takeover the other one is gone.
        #expect(!policy.isCloned(at: 3800))
        policy.connected(at: 3700)
        #expect(policy.nextPause(after: .connectionLost, at: 3900, chance: 0.5) == 1)
    }

    @Test("A clone that an earlier run found counts for an hour more")
    func aCloneOfAnEarlierRunIsOneForAnHourMore() {
        var policy = ReconnectPolicy(clonedAt: 50)
        #expect(policy.isCloned(at: 60))
        // The other one takes over again: no sprint of three attempts.
        #expect(policy.nextPause(after: .takenOver, at: 60, chance: 0.5) == 900)
        #expect(policy.isCloned(at: 3600) && !policy.isCloned(at: 3661))
        #expect(ReconnectPolicy(clonedAt: 0).clonedUntil == ReconnectPolicy.cloneCalmSeconds)
    }

    /// As two machines with one name fight over a broker that closes the older connection without a word.
    @Test("Young sessions that are closed without a reason count as takeovers")
    func youngSessionsThatEndWithoutAWordAreTakeovers() {
        var policy = ReconnectPolicy()
        var now = 0.0
        var pauses: [Double] = []
        for life in [0.5, 1, 2, 4, 8] {
            policy.connected(at: now)
            #expect(!policy.isCloned(at: now))
            now += life
            pauses.append(policy.nextPause(after: .connectionLost, at: now, chance: 0.5))
            now += pauses.last ?? 0
        }
        #expect(pauses == [1, 2, 4, 8, 900] && policy.isCloned(at: now))
        // From then on each such end is one more, however long the session stood.
        policy.connected(at: now)
        #expect(policy.nextPause(after: .connectionLost, at: now + 600, chance: 0.5) == 900)
        #expect(policy.isCloned(at: now + 4000) && !policy.isCloned(at: now + 4300))
    }

    /// A broker that begins again and again is away in between, a wire that is bad ends otherwise, and what closes idle connections waits.
    @Test(
        "Sessions that end otherwise are no sign of a clone",
        arguments: [
            (MQTTError.connectionRefused, 1, .connectionLost), (nil, 50, .connectionLost),
            (nil, 1, .keepalive),
        ] as [(MQTTError?, Double, MQTTError)])
    func otherEndsAreNone(between: MQTTError?, life: Double, end: MQTTError) {
        var policy = ReconnectPolicy()
        var now = 0.0
        for _ in 0..<20 {
            policy.connected(at: now)
            now += life
            now += policy.nextPause(after: end, at: now, chance: 0.5)
            if let between { now += policy.nextPause(after: between, at: now, chance: 0.5) }
        }
        #expect(!policy.isCloned(at: now))
    }

    @Test("Takeovers that are far apart are no sign of a clone")
    func takeoversThatAreFarApartAreNone() {
        var policy = ReconnectPolicy()
        for time in stride(from: 0.0, through: 4000, by: 400) {
            policy.connected(at: time)
            #expect(policy.nextPause(after: .takenOver, at: time + 100, chance: 0.5) <= 60)
        }
        #expect(!policy.isCloned(at: 4100))
    }
}

struct MQTTErrorTests {
    @Test(
        "Each reason code of MQTT 5 has its error",
        arguments: [
            (132, MQTTError.protocolVersion), (134, .wrongPassword), (135, .notAuthorized),
            (139, .shuttingDown),
            (142, .takenOver), (137, .unavailable), (149, .tooLarge), (157, .reason(157)),
        ] as [(Int32, MQTTError)])
    func reasonCodes(code: Int32, error: MQTTError) {
        #expect(MQTTError(reasonCode: code) == error)
    }

    @Test("A code of success is no error")
    func successesAreNone() {
        for code: Int32 in [0, 1, 16, 24] { #expect(MQTTError(reasonCode: code) == nil) }
        #expect(MQTTError(connectCode: 0) == nil)
        // A broker of MQTT 3 counts from one.
        for code: Int32 in 1...5 { #expect(MQTTError(connectCode: code) == .protocolVersion) }
    }

    @Test(
        "An encryption error is recognised by OpenSSL's code",
        arguments: [
            ("OpenSSL Error[0]: error:0A000086:SSL routines::x", MQTTError.brokerCertificate),
            ("OpenSSL Error[0]: error:0A00045C:SSL routines::x", .clientCertificate),
            ("OpenSSL Error[0]: error:0A000418:SSL routines::x", .clientCertificate),
            ("OpenSSL Error[0]: error:0A00010B:SSL routines::x", .encryption(0x0A00_010B)),
        ])
    func encryptionIsReadByItsCode(line: String, error: MQTTError) {
        #expect(MQTTError(encryptionLine: line) == error)
    }

    @Test(
        "Other lines of the library are no encryption errors",
        arguments: ["", "error:", "error:xyz:", "Client x sending CONNECT", "error"])
    func otherLinesAreNone(line: String) {
        #expect(MQTTError(encryptionLine: line) == nil)
    }
}
