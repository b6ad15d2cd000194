import CSystemd
import Glibc

/// The user's message bus, with what notifications need: calls that wait, and signals that were subscribed to. It is used on
/// one thread.
@safe final class SessionBus {
    /// A signal of the notification server, or of the bus about the server.
    enum Signal: Equatable {
        case actionInvoked(id: UInt32, key: String)
        case closed(id: UInt32)
        /// The notification server was replaced by another program, or has gone.
        case serverChanged
    }

    struct BusError: Error {
        let reason: String
        /// Whether the connection to the bus itself is lost.
        let isFinal: Bool
    }

    static let server = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    private static let bus = "org.freedesktop.DBus"

    /// Microseconds that a server has for its answer.
    private static let patienceSeconds: UInt64 = 3_000_000

    private let connection: OpaquePointer
    /// The unique name of the notification server's program; `nil` if there is none. Any program on the bus, even a sandboxed
    /// one, can send a signal that looks like the server's, and the name tells them apart.
    private var owner: String?

    /// Connects to `$DBUS_SESSION_BUS_ADDRESS`, or to the socket in the runtime directory.
    init() throws(BusError) {
        var made: OpaquePointer?
        let code = unsafe sd_bus_open_user(&made)
        guard code >= 0, let made = unsafe made else { throw Self.failure(code, isFinal: true) }
        unsafe connection = made
        for rule in [
            "type='signal',sender='\(Self.server)',path='\(Self.path)',interface='\(Self.server)'",
            "type='signal',sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.server)'",
        ] {
            try call(Self.bus, "/org/freedesktop/DBus", Self.bus, "AddMatch") { message in
                message.append(rule)
            } read: { _ in
            }
        }
        // The owner is requested after subscribing to changes, so that a change in between is still reported.
        do throws(BusError) {
            owner = try call(Self.bus, "/org/freedesktop/DBus", Self.bus, "GetNameOwner") { message in
                message.append(Self.server)
            } read: {
                $0.text()
            }
        } catch {
            // No server is running yet. The first notification may start one.
            guard !error.isFinal else { throw error }
        }
    }

    deinit {
        unsafe sd_bus_close_unref(connection)
    }

    /// The descriptor to watch for input.
    var descriptor: Int32 { unsafe sd_bus_get_fd(connection) }

    /// The signals since the last call.
    func signals() throws(BusError) -> [Signal] {
        var signals: [Signal] = []
        while true {
            var raw: OpaquePointer?
            let code = unsafe sd_bus_process(connection, &raw)
            guard code >= 0 else { throw Self.failure(code, isFinal: true) }
            if let raw = unsafe raw {
                let message = unsafe BusMessage(raw)
                if let signal = signal(message) { signals.append(signal) }
            }
            if code == 0 { return signals }
        }
    }

    private func signal(_ message: BusMessage) -> Signal? {
        if message.sender == Self.bus {
            guard message.isSignal(Self.bus, "NameOwnerChanged"), message.text() == Self.server,
                message.text() != nil, let new = message.text()
            else { return nil }
            owner = new.isEmpty ? nil : new
            return .serverChanged
        }
        // The bus itself sets the sender. It delivers signals addressed to this program even without a subscription.
        guard let owner, message.sender == owner else { return nil }
        if message.isSignal(Self.server, "ActionInvoked"), let id = message.number(), let key = message.text()
        {
            return .actionInvoked(id: id, key: key)
        }
        if message.isSignal(Self.server, "NotificationClosed"), let id = message.number() {
            return .closed(id: id)
        }
        return nil
    }

    /// Calls a method and waits for the answer, which `read` parses.
    func call<Value>(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ fill: (BusMessage) -> Void, read: (BusMessage) -> Value
    ) throws(BusError) -> Value {
        var raw: OpaquePointer?
        let made = unsafe sd_bus_message_new_method_call(
            connection, &raw, destination, path, interface, member)
        guard made >= 0, let raw = unsafe raw else { throw Self.failure(made, isFinal: made == -ENOTCONN) }
        let message = unsafe BusMessage(raw)
        fill(message)
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        var answer: OpaquePointer?
        let code = unsafe sd_bus_call(connection, message.raw, Self.patienceSeconds, &error, &answer)
        guard code >= 0, let answer = unsafe answer else {
            let isFinal = [-ENOTCONN, -ECONNRESET, -EPIPE].contains(code)
            if let text = unsafe error.message {
                throw BusError(reason: unsafe String(cString: text), isFinal: isFinal)
            }
            throw Self.failure(code, isFinal: isFinal)
        }
        return unsafe read(BusMessage(answer))
    }

    private static func failure(_ code: Int32, isFinal: Bool) -> BusError {
        guard let text = unsafe strerror(-code) else {
            return BusError(reason: "error \(-code)", isFinal: isFinal)
        }
        return BusError(reason: unsafe String(cString: text), isFinal: isFinal)
    }
}

/// A message of the bus that is written or read in order.
@safe final class BusMessage {
    fileprivate let raw: OpaquePointer

    /// Takes ownership of a reference.
    fileprivate init(_ raw: OpaquePointer) { unsafe self.raw = raw }

    deinit { unsafe sd_bus_message_unref(raw) }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }

    // MARK: Writing

    func append(_ text: String) {
        _ = unsafe text.withCString { unsafe sd_bus_message_append_basic(raw, Self.type("s"), $0) }
    }

    func append(_ number: UInt32) {
        _ = unsafe withUnsafePointer(to: number) {
            unsafe sd_bus_message_append_basic(raw, Self.type("u"), $0)
        }
    }

    func append(_ number: Int32) {
        _ = unsafe withUnsafePointer(to: number) {
            unsafe sd_bus_message_append_basic(raw, Self.type("i"), $0)
        }
    }

    func append(byte: UInt8) {
        _ = unsafe withUnsafePointer(to: byte) { unsafe sd_bus_message_append_basic(raw, Self.type("y"), $0) }
    }

    func append(flag: Bool) {
        let value: Int32 = flag ? 1 : 0
        _ = unsafe withUnsafePointer(to: value) {
            unsafe sd_bus_message_append_basic(raw, Self.type("b"), $0)
        }
    }

    /// Adds a container. `kind` is a for an array, e for a dictionary's entry, v for a variant.
    func container(_ kind: Unicode.Scalar, _ contents: String, _ fill: () -> Void) {
        guard unsafe sd_bus_message_open_container(raw, Self.type(kind), contents) >= 0 else { return }
        fill()
        _ = unsafe sd_bus_message_close_container(raw)
    }

    // MARK: Reading

    var sender: String? {
        guard let name = unsafe sd_bus_message_get_sender(raw) else { return nil }
        return unsafe String(cString: name)
    }

    func isSignal(_ interface: String, _ member: String) -> Bool {
        unsafe sd_bus_message_is_signal(raw, interface, member) > 0
    }

    func number() -> UInt32? {
        var number: UInt32 = 0
        return unsafe sd_bus_message_read_basic(raw, Self.type("u"), &number) > 0 ? number : nil
    }

    func text() -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(raw, Self.type("s"), &text) > 0, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    func texts() -> [String] {
        guard unsafe sd_bus_message_enter_container(raw, Self.type("a"), "s") > 0 else { return [] }
        var texts: [String] = []
        while let text = text() { texts.append(text) }
        _ = unsafe sd_bus_message_exit_container(raw)
        return texts
    }
}
