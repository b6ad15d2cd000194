/// The messages of the pairing socket of the phone page: `org.adhand.Remote`.
package enum RemoteInterface {
    package static let name = "org.adhand.Remote"

    package static let openPairing = MethodSignature<OpenPairingParameters, PairingReply>(
        "\(name).OpenPairing")
    package static let closePairing = MethodSignature<NoParameters, RemoteDoneReply>("\(name).ClosePairing")
    package static let getPhones = MethodSignature<NoParameters, PhonesReply>("\(name).GetPhones")
    package static let revokePhone = MethodSignature<RevokePhoneParameters, RemoteDoneReply>(
        "\(name).RevokePhone")
    package static let getSetUp = MethodSignature<NoParameters, SetUpReply>("\(name).GetSetUp")
    package static let resetPhones = MethodSignature<NoParameters, RemoteDoneReply>("\(name).ResetPhones")

    /// In the language of varlink.org.
    package static let description = """
        # Pairs phones with the phone page of this machine.
        interface org.adhand.Remote

        type Phone (id: string, name: string, role: (household, keeper), paired: string, seen: string)

        # Opens a window in which one phone can be paired; the one before is closed. For 120 s, or 1 to 600.
        method OpenPairing(role: (household, keeper), seconds: ?int) -> (code: string, key: string, url: string, expires: string)
        method ClosePairing() -> ()
        # open: seconds for which a window is open still; null while none is.
        method GetPhones() -> (phones: []Phone, open: ?int)
        method RevokePhone(id: string) -> ()
        # The set-up of a flashed box, for its own screen. open: the first phone that shows the code or the key becomes the keeper's;
        # both are renewed every two minutes. code: null while too many wrong ones came. claimed: by the phone of that name, and no
        # place is known yet.
        method GetSetUp() -> (state: (closed, open, claimed), by: ?string, code: ?string, key: ?string, url: ?string, seconds: ?int)
        # Root's: forgets every phone, and who claimed the box.
        method ResetPhones() -> ()

        # Three windows were burnt by wrong codes within an hour: the screen opens none for these seconds.
        error PairingLocked (seconds: int)
        # As many phones as may be are paired.
        error TooManyPhones ()
        error UnknownPhone (id: string)
        # The list of phones cannot be written; nothing was changed.
        error PhonesNotSaved ()
        # Only root may do that.
        error NotRoot ()

        """
}

/// Opens a window in which a phone can pair.
package struct OpenPairingParameters: Codable, Sendable, Equatable {
    /// The role: `household` or `keeper`.
    package var role: String
    package var seconds: Int?

    package init(role: String, seconds: Int? = nil) {
        self.role = role
        self.seconds = seconds
    }
}

/// An open window for pairing: its code, its key and its end.
package struct PairingReply: ReplyDocument, Equatable {
    package static var described: String { "code: string, key: string, url: string, expires: string" }
    /// The code of six digits.
    package let code: String
    /// The key of 32 hexadecimal digits.
    package let key: String
    /// The page for the code; the QR code holds it with `#` and the key.
    package let url: String
    /// The end of the window: `2026-11-24T16:32:00Z`.
    package let expires: String

    package init(code: String, key: String, url: String, expires: String) {
        self.code = code
        self.key = key
        self.url = url
        self.expires = expires
    }
}

/// The progress of a new box's set-up by a phone.
package struct SetUpReply: ReplyDocument, Equatable {
    package enum State: String, Codable, Sendable { case closed, open, claimed }

    package static var described: String {
        "state: (closed, open, claimed), by: ?string, code: ?string, key: ?string, url: ?string, seconds: ?int"
    }
    package let state: State
    /// The phone that claimed the box.
    package var by: String?
    package var code: String?
    package var key: String?
    /// The page for the code.
    package var url: String?
    /// Seconds until code and key change.
    package var seconds: Int?

    package init(_ state: State) { self.state = state }
}

/// The paired phones.
package struct PhonesReply: ReplyDocument, Equatable {
    package struct Phone: Codable, Sendable, Equatable {
        package let id: String
        package let name: String
        package let role: String
        /// The day of its pairing, `2026-11-24`; empty while the clock was not trusted.
        package let paired: String
        /// The day of its last request; empty while the clock was not trusted.
        package let seen: String

        package init(id: String, name: String, role: String, paired: String, seen: String) {
            self.id = id
            self.name = name
            self.role = role
            self.paired = paired
            self.seen = seen
        }
    }

    package static var described: String { "phones: []Phone, open: ?int" }
    package let phones: [Phone]
    /// Seconds for which a window is still open.
    package var open: Int?

    package init(phones: [Phone], open: Int? = nil) { (self.phones, self.open) = (phones, open) }
}

/// The answer of `ClosePairing`, `RevokePhone` and `ResetPhones`.
package struct RemoteDoneReply: ReplyDocument, Equatable {
    package static var described: String { "" }

    package init() {}
}

/// Removes a phone by its id.
package struct RevokePhoneParameters: Codable, Sendable, Equatable {
    package var id: String

    package init(id: String) { self.id = id }
}
