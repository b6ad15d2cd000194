internal import CMosquitto
internal import Synchronization

/// Collects the callbacks of one connection until the thread that called the library processes them.
final class CallbackSink: Sendable {
    enum Callback: Sendable {
        /// The broker's answer to CONNECT, and the keepalive that it requires.
        case connect(code: Int32, keepaliveSeconds: Int?)
        case disconnect(code: Int32)
        case message(MQTTMessage)
        case published(id: Int32, code: Int32)
        case subscribed(id: Int32, code: Int32)
    }

    private struct Collected {
        var callbacks: [Callback] = []
        var encryption: MQTTError?
    }

    private let collected = Mutex(Collected())
    /// The most bytes of a payload that are copied; a longer one is only known to be longer.
    let mostBytes: Int

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// Returns the callbacks since the last call.
    func drain() -> [Callback] {
        collected.withLock { collected in
            defer { collected.callbacks = [] }
            return collected.callbacks
        }
    }

    /// The first encryption error; later ones are consequences of it.
    var encryption: MQTTError? { collected.withLock { $0.encryption } }

    func add(_ callback: Callback) { collected.withLock { $0.callbacks.append(callback) } }

    private func note(_ fault: MQTTError) {
        collected.withLock { if $0.encryption == nil { $0.encryption = fault } }
    }

    /// Directs libmosquitto's callbacks to this sink.
    func attach(to handle: OpaquePointer) {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, sink, code, _, properties in
            let seconds = unsafe Properties.int16(properties, MQTT_PROP_SERVER_KEEP_ALIVE)
            unsafe CallbackSink.at(sink)?.add(.connect(code: code, keepaliveSeconds: seconds))
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, sink, code, _ in
            unsafe CallbackSink.at(sink)?.add(.disconnect(code: code))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, sink, id, code, _ in
            unsafe CallbackSink.at(sink)?.add(.published(id: id, code: code))
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, sink, id, count, granted, _ in
            guard let granted = unsafe granted, count > 0 else { return }
            unsafe CallbackSink.at(sink)?.add(.subscribed(id: id, code: granted[0]))
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, sink, message, properties in
            guard let sink = unsafe CallbackSink.at(sink), let message = unsafe message?.pointee,
                let topic = unsafe message.topic
            else { return }
            let count = unsafe min(Int(message.payloadlen), sink.mostBytes)
            let payload = unsafe Array(UnsafeRawBufferPointer(start: message.payload, count: count))
            sink.add(
                .message(
                    MQTTMessage(
                        topic: unsafe String(cString: topic), payload: payload,
                        isRetained: unsafe message.retain,
                        responseTopic: unsafe Properties.string(properties, MQTT_PROP_RESPONSE_TOPIC),
                        correlationData: unsafe Properties.bytes(properties, MQTT_PROP_CORRELATION_DATA))))
        }
        unsafe mosquitto_log_callback_set(handle) { _, sink, _, line in
            guard let line = unsafe line, let fault = unsafe MQTTError(encryptionLine: String(cString: line))
            else { return }
            unsafe CallbackSink.at(sink)?.note(fault)
        }
    }

    private static func at(_ raw: UnsafeMutableRawPointer?) -> CallbackSink? {
        unsafe raw.map { unsafe Unmanaged<CallbackSink>.fromOpaque($0).takeUnretainedValue() }
    }
}
