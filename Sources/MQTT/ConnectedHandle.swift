internal import CMosquitto
internal import Glibc
internal import Synchronization

/// libmosquitto's client for one connection, and its callbacks. One thread uses it at a time: first that of the attempt, then the
/// session's.
struct ConnectedHandle: Sendable {
    private let address: UInt
    let sink: CallbackSink

    /// The pointer; never `nil` for a handle that was made.
    private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Makes a client and connects it. May wait for minutes.
    static func make(
        _ settings: SessionSettings, _ broker: SessionSettings.Broker
    ) -> Result<ConnectedHandle, MQTTError> {
        guard adhand_mosquitto_is_ready() else { return .failure(.noLibrary) }
        let sink = CallbackSink(mostBytes: settings.mostPacketBytes)
        let context = unsafe Unmanaged.passRetained(sink)
        guard let pointer = unsafe mosquitto_new(settings.clientID, true, context.toOpaque()) else {
            unsafe context.release()
            return .failure(.library(Int32(MOSQ_ERR_NOMEM.rawValue)))
        }
        let handle = ConnectedHandle(address: UInt(bitPattern: pointer), sink: sink)
        unsafe sink.attach(to: pointer)
        if let error = handle.prepare(settings, broker) ?? handle.connect(settings, broker) {
            handle.destroy()
            return .failure(error)
        }
        return .success(handle)
    }

    func destroy() {
        guard let pointer = unsafe pointer else { return }
        unsafe mosquitto_destroy(pointer)
        unsafe Unmanaged.passUnretained(sink).release()
    }

    private func prepare(_ settings: SessionSettings, _ broker: SessionSettings.Broker) -> MQTTError? {
        let handle = unsafe pointer
        unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = settings.username {
            unsafe mosquitto_username_pw_set(handle, username, settings.password)
        }
        if let will = settings.will {
            var properties = Properties(of: will)
            if settings.willDelaySeconds > 0 {
                properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, seconds: settings.willDelaySeconds)
            }
            // The library takes ownership of the list.
            let list = unsafe properties.release()
            let code = unsafe will.payload.withUnsafeBytes {
                unsafe mosquitto_will_set_v5(
                    handle, will.topic, Int32($0.count), $0.baseAddress, will.qos.rawValue, will.isRetained,
                    list)
            }
            if let error = failure(code) { return error }
        }
        guard broker.isEncrypted else { return nil }
        let files = settings.certificates
        // Without a callback OpenSSL would ask for a key's password at a terminal.
        let code = unsafe mosquitto_tls_set(
            handle, files.caFile, nil, files.certificateFile, files.keyFile, { _, _, _, _ in 0 })
        return code == 0 ? nil : .certificateFile
    }

    private func connect(_ settings: SessionSettings, _ broker: SessionSettings.Broker) -> MQTTError? {
        var properties = Properties()
        if settings.sessionExpirySeconds > 0 {
            properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, seconds: settings.sessionExpirySeconds)
        }
        properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, seconds: settings.mostPacketBytes)
        let code = unsafe properties.withList {
            unsafe mosquitto_connect_bind_v5(
                pointer, broker.host, Int32(broker.port), Int32(settings.keepaliveSeconds), nil, $0)
        }
        return failure(code)
    }

    /// The error behind a result of the library. Call it right after the library, before `errno` changes.
    private func failure(_ result: Int32) -> MQTTError? {
        MQTTError(result: result, system: errno, encryption: sink.encryption)
    }

    // MARK: The session's thread

    var socket: Int32 { unsafe mosquitto_socket(pointer) }

    var wantsWrite: Bool { unsafe mosquitto_want_write(pointer) }

    func read() -> MQTTError? { failure(unsafe mosquitto_loop_read(pointer, 1)) }

    func write() -> MQTTError? { failure(unsafe mosquitto_loop_write(pointer, 1)) }

    /// Sends a ping if one is due, and detects a broker that does not answer.
    func keepAlive() -> MQTTError? { failure(unsafe mosquitto_loop_misc(pointer)) }

    /// Makes the kernel abandon a connection whose other side acknowledges nothing.
    func limitSilence(seconds: Int) {
        var milliseconds = UInt32(seconds * 1000)
        unsafe setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
    }

    func subscribe(to filter: String, keepsRetainFlag: Bool) -> Result<Int32, MQTTError> {
        var id: Int32 = 0
        // Keep the flag as published, to distinguish a retained command from one that is sent now.
        let options = keepsRetainFlag ? Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) : 0
        let code = unsafe mosquitto_subscribe_v5(pointer, &id, filter, 1, options, nil)
        return failure(code).map { .failure($0) } ?? .success(id)
    }

    func publish(_ publication: MQTTPublication) -> Result<Int32, MQTTError> {
        var id: Int32 = 0
        let properties = Properties(of: publication)
        let code = unsafe properties.withList { list in
            unsafe publication.payload.withUnsafeBytes {
                unsafe mosquitto_publish_v5(
                    pointer, &id, publication.topic, Int32($0.count), $0.baseAddress,
                    publication.qos.rawValue,
                    publication.isRetained, list)
            }
        }
        return failure(code).map { .failure($0) } ?? .success(id)
    }

    /// Disconnects cleanly, so that the broker does not publish the will.
    func disconnect() { _ = unsafe mosquitto_disconnect_v5(pointer, 0, nil) }
}
