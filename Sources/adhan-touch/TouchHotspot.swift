internal import Host
internal import Protocol
internal import ScreenPlan

/// Requests the box's own network on a tap. The screen shows its name but not its key, because anyone may stand in front of it.
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
