import CommandKit
import ControlClient
import Host
import Maintenance
import Protocol
import Texts

/// Requests to adhan-remote on its pairing socket, about pairing windows and phones.
struct PairingClient {
    private let client: ControlClient
    private let isUsual: Bool

    /// - Parameter option: the socket given on the command line.
    init(option: String?) {
        client = ControlClient(socket: option ?? Paths.pairingSocket)
        isUsual = option == nil
    }

    func open(_ role: String, seconds: Int) throws(CommandError) -> PairingReply {
        try ask(RemoteInterface.openPairing, OpenPairingParameters(role: role, seconds: seconds))
    }

    func close() throws(CommandError) {
        _ = try ask(RemoteInterface.closePairing, NoParameters())
    }

    func phones() throws(CommandError) -> PhonesReply {
        try ask(RemoteInterface.getPhones, NoParameters())
    }

    func revoke(_ id: String) throws(CommandError) {
        _ = try ask(RemoteInterface.revokePhone, RevokePhoneParameters(id: id))
    }

    func reset() throws(CommandError) {
        _ = try ask(RemoteInterface.resetPhones, NoParameters())
    }

    func setUp() throws(CommandError) -> SetUpReply {
        try ask(RemoteInterface.getSetUp, NoParameters())
    }

    private func ask<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters
    ) throws(CommandError) -> Answer {
        do throws(ControlClientError) {
            return try client.call(method, parameters)
        } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ error: ControlClientError) -> CommandError {
        let socket = PlainText.visible(client.socket)
        switch error {
        case .refused(let refused):
            let isForRoot = refused.name == "\(RemoteInterface.name).NotRoot"
            var error = CommandError(isForRoot ? .notPermitted : .failed, Self.sentence(refused.name))
            error.name = refused.name.split(separator: ".").last.map(String.init)
            return error
        case .path(let path): return CommandError(.usage, path.message)
        case .notPermitted:
            return CommandError(
                .notPermitted,
                "only root and members of the group \"adhan\" may use \"\(socket)\"; use sudo, or add yourself with "
                    + "\"sudo usermod -aG adhan $USER\" and log in again")
        case .unreachable where isUsual && !Environment.process.exists(client.socket):
            return RemotePage.isInstalled ? RemotePage.isOff : RemotePage.notInstalled
        case .unreachable(let cause):
            return CommandError(
                .unreachable,
                "the phone page does not answer on \"\(socket)\": \(cause.message); look at \"journalctl -u adhan-remote\""
            )
        case .hangs, .closed, .endless, .unreadable, .request:
            var error = CommandError(
                .unreachable,
                "the phone page does not answer on \"\(socket)\"; look at \"journalctl -u adhan-remote\"")
            error.isHang = true
            return error
        }
    }

    private static func sentence(_ name: String) -> String {
        switch name {
        case "\(RemoteInterface.name).TooManyPhones":
            "as many phones are paired as [pairing] most in remote.toml allows; take one back with \"adhanctl remote revoke ID\""
        case "\(RemoteInterface.name).PhonesNotSaved":
            "the list of phones cannot be written, and nothing was changed; look at \"df -h /var/lib\""
        case "\(RemoteInterface.name).PairingLocked":
            "wrong codes closed three windows within an hour; only root and members of the group \"adhan\" open one now"
        case "\(RemoteInterface.name).NotRoot":
            "only root resets the phone page; type: sudo adhanctl remote reset"
        case "\(RemoteInterface.name).UnknownPhone":
            "that phone is not paired any more; \"adhanctl remote phones\" lists those that are"
        default:
            "the phone page refuses that (\(PlainText.visible(name))); are adhanctl and adhan-remote of the same version?"
        }
    }
}
