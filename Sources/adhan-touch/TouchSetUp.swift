internal import ControlClient
internal import Host
internal import PhoneRules
internal import Protocol
internal import QR
internal import ScreenPlan
internal import Texts

/// How a box is set up by phone, for its own screen alone: the codes of the window that is open, and the box's own network.
enum TouchSetUp {
    /// The name of the box's own network, while it is there.
    private static let hotspotFile = "/run/adhan-box/hotspot"

    static func read() throws(TouchRequest.Refusal) -> TouchAnswer.SetUp {
        let reply: SetUpReply
        do throws(ControlClientError) {
            reply = try ControlClient(socket: TouchPairing.socket).call(
                RemoteInterface.getSetUp, patienceSeconds: 5)
        } catch {
            throw TouchRequest.Refusal(503, "the phone page does not answer")
        }
        var setUp = TouchAnswer.SetUp(
            state: reply.state.rawValue, by: reply.by, hasNetwork: !TouchPairing.numbers.isEmpty)
        guard reply.state == .open else { return setUp }
        setUp.hotspot = hotspot
        if let key = reply.key, let url = reply.url, let seconds = reply.seconds {
            setUp.pairing = try TouchPairing.answer(
                reply.code ?? "", key, url, seconds: seconds,
                isInHotspot: Environment.process.exists(nameFile))
        }
        return setUp
    }

    private static var nameFile: String {
        Environment.process.value("ADHAN_TOUCH_HOTSPOT") ?? hotspotFile
    }

    private static var hotspot: TouchAnswer.SetUp.Hotspot? {
        let environment = Environment.process
        func line(_ path: String) -> String? {
            (try? FileBytes.read(path, limit: 256)).map {
                String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            }
        }
        guard let folder = environment.value("CREDENTIALS_DIRECTORY"),
            let key = line(folder + "/hotspot-key").flatMap({ HotspotKey($0) }),
            let name = line(nameFile),
            let code = key.joinCode(network: name).flatMap({ QRCode($0) })
        else { return nil }
        return TouchAnswer.SetUp.Hotspot(name: name, key: key.text, size: code.size, modules: code.bits)
    }
}
