internal import Host
internal import Protocol
internal import ScreenPlan

/// The box's own network, asked for by a tap. Its name goes to the screen, its key does not: anybody may stand there.
enum TouchHotspot {
    private static var socket: HotspotSocket { HotspotSocket(in: .process) }

    /// Whether this machine is a flashed box.
    static var isPossible: Bool { socket.isThere }

    static func ask() throws(TouchRequest.Refusal) -> HotspotReply {
        do throws(HotspotSocketError) {
            return try socket.ask()
        } catch {
            throw TouchRequest.Refusal(error == .noBox ? 409 : 503, error.message)
        }
    }
}
