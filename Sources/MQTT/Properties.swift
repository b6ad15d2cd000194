internal import CMosquitto
internal import Glibc

/// The properties of an MQTT 5 packet, made for one call and freed after it.
@safe struct Properties: ~Copyable {
    private var list: OpaquePointer?

    deinit {
        var list = unsafe list
        unsafe mosquitto_property_free_all(&list)
    }

    init() { unsafe list = nil }

    /// Provides the list for the duration of `body`; the library copies what it keeps.
    borrowing func withList<Result>(_ body: (OpaquePointer?) -> Result) -> Result { unsafe body(list) }

    /// Transfers the list to a call that takes ownership.
    mutating func release() -> OpaquePointer? {
        defer { unsafe list = nil }
        return unsafe list
    }

    mutating func add(_ name: mqtt5_property, seconds value: Int) {
        unsafe mosquitto_property_add_int32(&list, Int32(name.rawValue), UInt32(clamping: value))
    }

    mutating func add(_ name: mqtt5_property, _ text: String) {
        unsafe mosquitto_property_add_string(&list, Int32(name.rawValue), text)
    }

    mutating func add(_ name: mqtt5_property, _ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes {
            _ = unsafe mosquitto_property_add_binary(
                &list, Int32(name.rawValue), $0.baseAddress, UInt16(clamping: $0.count))
        }
    }

    init(of publication: MQTTPublication) {
        self.init()
        if let seconds = publication.expirySeconds {
            add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, seconds: seconds)
        }
        if let topic = publication.responseTopic { add(MQTT_PROP_RESPONSE_TOPIC, topic) }
        if let data = publication.correlationData { add(MQTT_PROP_CORRELATION_DATA, data) }
    }

    static func int16(_ list: OpaquePointer?, _ name: mqtt5_property) -> Int? {
        var value: UInt16 = 0
        let found = unsafe mosquitto_property_read_int16(list, Int32(name.rawValue), &value, false)
        return unsafe found != nil ? Int(value) : nil
    }

    static func string(_ list: OpaquePointer?, _ name: mqtt5_property) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard unsafe mosquitto_property_read_string(list, Int32(name.rawValue), &value, false) != nil,
            let text = unsafe value
        else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    static func bytes(_ list: OpaquePointer?, _ name: mqtt5_property) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard unsafe mosquitto_property_read_binary(list, Int32(name.rawValue), &value, &count, false) != nil
        else { return nil }
        defer { unsafe free(value) }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: Int(count)))
    }
}
