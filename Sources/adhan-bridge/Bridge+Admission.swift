internal import BridgePlan
internal import CommandKit
internal import Envelope
internal import Host
internal import MQTT
internal import Signature
internal import Texts

/// Admission of the box to a fleet by the word on its card. ``FleetAdmission`` decides when the box connects, and in which of
/// its two roles.
extension Bridge {
    /// The number of the only message that a box sends as an applicant.
    private static let requestNumber = 0

    /// Prepares the password if the card has a word. A new password is saved before its hash is sent to anyone.
    /// - Returns: whether the box may connect to the broker.
    func prepareMembership(in org: String) -> Bool {
        guard file.fleetToken != nil else {
            membership = nil
            return true
        }
        if membership?.document.org == org { return true }
        do throws(FileError) {
            let bytes = try files.read(.membership)
            let new = FleetAdmission(org: org, fileBytes: bytes) { UInt8.random(in: .min ... .max) }
            if new.role == .applicant, !bytes.isEmpty, new.document != decoded(bytes) {
                Journal.log(
                    "the password in \"\(files.folder)\" is of another fleet or damaged; a new one is made")
            }
            membership = new
            try keepMembership()
            return true
        } catch {
            membership = nil
            fleetAgainAt = MonotonicClock.now() + Self.troubleSeconds
            journal.log(
                "\(error.message); without its password this box cannot come into the fleet", .stateFile,
                every: Self.troubleSeconds, at: MonotonicClock.now())
            return false
        }
    }

    private func decoded(_ bytes: [UInt8]) -> FleetAdmission.Document? {
        try? JSON.decode(FleetAdmission.Document.self, from: bytes)
    }

    private func keepMembership() throws(FileError) {
        guard let membership, let bytes = try? JSON.encode(membership.document) else { return }
        try files.write(bytes, to: .membership)
    }

    func applicantSettings() -> SessionSettings {
        fleetSettings(
            clientID: "adhand-enrol-\(options.box)", username: FleetAdmission.applicantUser,
            password: file.fleetToken)
    }

    func handleApplicant(_ event: MQTTEvent) {
        let now = MonotonicClock.now()
        switch event {
        case .connected(let index):
            (fleetFailure, isFleetIdentityRefused) = (nil, false)
            brokerGuard.connected(at: now)
            journal.forget(.fleetBroker)
            Journal.log("asks for its place in the fleet at \(file.config.fleet.brokers[index])")
            publishRequest()
        case .delivered(_, nil):
            guard let pause = membership?.noteRequest() else { return }
            comeAgain(in: pause)
        case .delivered(_, .some(let error)):
            fleetFailure = error
            // After a loss the session sends the request again by itself.
            if error != .connectionLost { turnRole() }
        case .disconnected(let error):
            fleetFailure = error
            expectConnection()
        case .refused(let error, let index, let pause):
            noteFleetRefusal(error, of: file.config.fleet.brokers[index], pauseSeconds: pause)
        case .received, .subscriptionRefused, .stopped: break
        }
    }

    private func publishRequest() {
        guard let membership, let fleetSession else { return }
        let password = Array(membership.document.password.utf8)
        let request = EnrolmentPayload(
            boxFacts, box: options.box, hash: PasswordHash.makeRepeatable(password))
        guard let payload = try? JSON.encode(request) else { return }
        let topic = FleetTopic(org: membership.document.org).enrolment(of: options.box)
        fleetSession.publish(
            MQTTPublication(topic: topic, payload: payload, qos: .atLeastOnce, isRetained: false),
            number: Self.requestNumber)
    }

    /// Notes that the broker has accepted the box's password.
    func noteLetIn() {
        isFleetIdentityRefused = false
        guard membership?.cameIn() == true else { return }
        Journal.log("the fleet has let this box in")
        do throws(FileError) { try keepMembership() } catch {
            journal.log(error.message, .stateFile, every: Self.troubleSeconds, at: MonotonicClock.now())
        }
    }

    /// Notes a broker's refusal. With several brokers the last one's answer ends a round, after which a box with a card's word
    /// connects in its other role.
    func noteFleetRefusal(_ error: MQTTError, of broker: String, pauseSeconds: Double) {
        fleetFailure = error
        if error == .wrongPassword || error == .notAuthorized { isFleetIdentityRefused = true }
        if membership != nil, isFleetIdentityRefused, pauseSeconds > 0 { return turnRole() }
        journal.log(
            "no connection to the broker of the fleet, \(broker): \(error.sentence)", .fleetBroker,
            every: Self.troubleSeconds, at: MonotonicClock.now())
    }

    private func turnRole() {
        guard let pause = membership?.refused() else { return }
        if let standing = membership?.standing, standing != .asking {
            let sentence =
                switch standing {
                case .closed:
                    "the word of this box's card opens the fleet no longer: it needs a new fleet.toml"
                case .member: "the fleet does not know this box any more; it asks for its place again"
                case .asking, .waiting: "the fleet has not let this box in yet"
                }
            journal.log(
                sentence, .admission(standing), every: Self.troubleSeconds * 4, at: MonotonicClock.now())
        }
        comeAgain(in: pause)
    }

    private func comeAgain(in seconds: Double) {
        stopFleet()
        // The end of that session must not affect the next one.
        fleetSession = nil
        fleetSessionNumber += 1
        fleetAgainAt = MonotonicClock.now() + seconds
    }
}
