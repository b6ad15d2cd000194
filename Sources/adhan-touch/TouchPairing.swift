internal import ControlClient
internal import Host
internal import PhoneRules
internal import Protocol
internal import QR
internal import ScreenPlan
internal import Texts

/// Opens a pairing window of the phone page on a tap: always for the household, because anyone may stand in front of the
/// screen. Code and key go only to the page that asked.
enum TouchPairing {
    /// The file with the machine's addresses, written by the display's session: this program sees no network.
    private static let addressesFile = "/run/adhan-kiosk/addresses"

    static var socket: String {
        Environment.process.value("ADHAN_PAIRING_SOCKET") ?? Paths.pairingSocket
    }

    /// Whether the phone page is on.
    static var isPossible: Bool { Environment.process.exists(socket) }

    static func open() throws(TouchRequest.Refusal) -> TouchAnswer.Pairing {
        let asked = OpenPairingParameters(role: Role.household.rawValue, seconds: Access.usualSeconds)
        let opened: PairingReply
        do throws(ControlClientError) {
            opened = try ControlClient(socket: socket).call(
                RemoteInterface.openPairing, asked, patienceSeconds: 5)
        } catch .refused(let error) {
            throw TouchRequest.Refusal(
                409, "the phone page opens no window now (\(PlainText.visible(error.name)))")
        } catch {
            throw TouchRequest.Refusal(503, "the phone page does not answer")
        }
        return try answer(opened.code, opened.key, opened.url, seconds: Access.usualSeconds)
    }

    /// A code with the QR code of its key, for every address of this machine.
    static func answer(
        _ digits: String, _ key: String, _ url: String, seconds: Int, isInHotspot: Bool = false
    ) throws(TouchRequest.Refusal) -> TouchAnswer.Pairing {
        let address = PairingAddress(url, numbers: numbers, isInHotspot: isInHotspot)
        guard let code = QRCode(address.pairing(key)) else {
            throw TouchRequest.Refusal(503, "the address of the phone page is too long for a code")
        }
        return TouchAnswer.Pairing(
            code: digits, urls: address.urls, size: code.size, modules: code.bits, seconds: seconds)
    }

    static var numbers: [String] {
        let file = Environment.process.value("ADHAN_TOUCH_ADDRESSES") ?? addressesFile
        let text = (try? FileBytes.read(file, limit: 1024)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init).filter { NetworkAddress($0) != nil }
    }
}

extension QRCode {
    /// The modules row by row; `1` is dark.
    var bits: String { modules.map { $0 ? "1" : "0" }.joined() }
}
