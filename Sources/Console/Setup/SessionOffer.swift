/// The offer to a person who sets adhand up at a desktop: adhand inside their session, through its sound server. The
/// machine's adhand gets the sound card only while the session is silent.
package enum SessionOffer: Sendable, Equatable {
    package struct Facts: Sendable, Equatable {
        /// `PipeWire` or `PulseAudio`, where one runs in a session of this machine.
        package var soundServer: String?
        /// The owner of the session, where it is another person's.
        package var owner: String?
        /// Whether the unit for sessions is installed.
        package var hasUnit = false
        /// Whether the machine's own adhand is at work.
        package var hasSystemService = false
        /// Whether the person's own adhand answers already.
        package var isRunning = false

        package init() {}
    }

    /// There is nothing to offer.
    case none
    case note(String)
    /// Ask the person, and do it after a yes.
    case question(String)

    /// The service and, by its unit, the socket.
    package static let enable = ["systemctl", "--user", "enable", "--now", "adhand.service"]
    /// The service runs before the first login and after the last logout.
    package static let linger = ["loginctl", "enable-linger"]

    package static var typed: String {
        [enable, linger].map { $0.joined(separator: " ") }.joined(separator: " && ")
    }

    private static let disable = "sudo systemctl disable --now adhand.service adhand.socket"

    /// - Parameter forMachine: whether the machine's configuration is set up, rather than a person's own.
    package init(_ facts: Facts, forMachine: Bool) {
        guard let server = facts.soundServer, facts.hasUnit else {
            self = .none
            return
        }
        if forMachine {
            let whose = facts.owner.map { " of \($0)" } ?? ""
            self = .note(
                "Note: \(server) runs in the session\(whose) and may hold the sound card while somebody listens to something. "
                    + "A desktop is better served by an adhand inside the session: run \"adhanctl setup\" there, without sudo."
            )
        } else if facts.hasSystemService {
            self = .note(
                "The machine's own adhand is at work, and two would call every prayer twice. To have it in your session instead: "
                    + "\(Self.disable) && \(Self.typed)")
        } else if facts.isRunning {
            self = .none
        } else {
            self = .question(
                "\(server) runs in your session. Start adhand in it, now and with the machine, also before anybody has logged in?"
            )
        }
    }
}
