import PrayerLog

/// The desktop's notification server. A prayer's new notification replaces its previous one.
final class NotificationServer {
    private let bus: SessionBus
    /// The server's capabilities, which are requested once.
    private var known: Set<String>?
    /// The server's number for a prayer's notification.
    private var shown: [PrayerSlot: UInt32] = [:]
    /// The number of the notification that concerns no prayer.
    private var note: UInt32 = 0
    /// Whether that notification reports that adhand is away.
    private var isStopShown = false

    private static let application = "adhan-companion"
    private static let icon = "appointment-soon"

    init(_ bus: SessionBus) { self.bus = bus }

    var slots: [PrayerSlot] { Array(shown.keys) }

    func capabilities() throws(SessionBus.BusError) -> Set<String> {
        if let known { return known }
        let capabilities = Set(try call("GetCapabilities", { _ in }, read: { $0.texts() }))
        known = capabilities
        return capabilities
    }

    /// Forgets the facts about a server that has gone, because they do not apply to the next.
    func forget() {
        known = nil
        shown = [:]
        note = 0
        isStopShown = false
    }

    func show(_ notification: Notification, of slot: PrayerSlot) throws(SessionBus.BusError) {
        shown[slot] = try notify(notification, replacing: shown[slot] ?? 0)
    }

    /// Shows a notification that concerns no prayer, in place of the last of its kind.
    func show(_ title: String, _ body: String) throws(SessionBus.BusError) {
        note = try notify(Notification(title: title, body: body), replacing: note)
        isStopShown = false
    }

    /// Reports that adhand is away. The notification stays until adhand is back, or the person closes it.
    func showStopped(_ title: String, _ body: String) throws(SessionBus.BusError) {
        // A server without buttons gives the person no reliable way to close a notification, so it must not stay.
        let stays = try capabilities().contains("actions")
        note = try notify(Notification(title: title, body: body, stays: stays), replacing: note)
        isStopShown = true
    }

    func closeStopped() throws(SessionBus.BusError) {
        guard isStopShown else { return }
        isStopShown = false
        try call("CloseNotification", { $0.append(note) }, read: { _ in })
    }

    func close(_ slot: PrayerSlot) throws(SessionBus.BusError) {
        guard let id = shown.removeValue(forKey: slot) else { return }
        try call("CloseNotification", { $0.append(id) }, read: { _ in })
    }

    func slot(of id: UInt32) -> PrayerSlot? { shown.first { $0.value == id }?.key }

    func wasClosed(_ id: UInt32) {
        if let slot = slot(of: id) { shown[slot] = nil }
        if id == note { isStopShown = false }
    }

    private func notify(_ notification: Notification, replacing id: UInt32) throws(SessionBus.BusError)
        -> UInt32
    {
        try call(
            "Notify",
            { message in
                message.append(Self.application)
                message.append(id)
                message.append(Self.icon)
                message.append(notification.title)
                message.append(notification.body)
                message.container("a", "s") {
                    for button in notification.buttons {
                        message.append(button.action.rawValue)
                        message.append(button.label)
                    }
                }
                message.container("a", "{sv}") { Self.appendHints(notification, to: message) }
                // 0: until the person closes it; -1: as long as the server's default.
                message.append(notification.stays ? Int32(0) : Int32(-1))
            }, read: { $0.number() ?? 0 })
    }

    private static func appendHints(_ notification: Notification, to message: BusMessage) {
        hint("urgency", "y", in: message) { message in message.append(byte: notification.urgency.rawValue) }
        hint("desktop-entry", "s", in: message) { message in message.append(application) }
        if let sound = notification.sound {
            hint("sound-name", "s", in: message) { message in message.append(sound) }
        } else {
            hint("suppress-sound", "b", in: message) { message in message.append(flag: true) }
        }
    }

    private static func hint(
        _ name: String, _ type: String, in message: BusMessage,
        _ value: (BusMessage) -> Void
    ) {
        message.container("e", "sv") {
            message.append(name)
            message.container("v", type) { value(message) }
        }
    }

    @discardableResult
    private func call<Value>(
        _ member: String, _ fill: (BusMessage) -> Void, read: (BusMessage) -> Value
    ) throws(SessionBus.BusError) -> Value {
        try bus.call(SessionBus.server, SessionBus.path, SessionBus.server, member, fill, read: read)
    }
}
