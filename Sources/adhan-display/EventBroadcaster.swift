internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import PrayerEngine
internal import ScreenPlan
internal import Systemd
internal import Texts

/// Sends events to listening pages: the state whenever it changes, and a tick each second. It is used on the loop only.
final class EventBroadcaster {
    private let loop: any EventLoop
    private let poller: DaemonPoller
    private let zone: Zone
    private var listeners: [ObjectIdentifier: EventStream] = [:]
    private var sequence = 0
    /// The event `state` for each variant.
    private var states: [StateVariant: ByteBuffer] = [:]
    private var serial = -1
    private var isTrimDue = false
    /// The next tick or, without listeners, the next notification of the service manager.
    private var next: Scheduled<Void>?
    private var isTicking = false

    private let manager = ServiceManager()
    /// Seconds until memory is released once no page listens.
    private static let trimDelaySeconds = 5.0

    init(loop: any EventLoop, poller: DaemonPoller, zone: Zone) {
        self.loop = loop
        self.poller = poller
        self.zone = zone
    }

    // MARK: Events

    func listen(_ channel: any Channel, _ variant: StateVariant) {
        refreshState()
        let stream = EventStream(channel: channel, variant: variant)
        let id = ObjectIdentifier(channel)
        listeners[id] = stream
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in listeners[id] = nil }
        stream.offer(state(variant), serial: serial)
        stream.offer(tick())
        if !isTicking { schedule() }
    }

    func begin() {
        schedule()
    }

    /// Releases memory after a caller has disconnected.
    func callerHasLeft() { trimSoon() }

    func stateHasChanged() {
        refreshState()
        for stream in listeners.values { stream.offer(state(stream.variant), serial: serial) }
    }

    private func refreshState() {
        let now = poller.now
        guard now.serial != serial else { return }
        serial = now.serial
        states = [:]
        for (variant, document) in now.events where document.readableBytes > 0 {
            states[variant] = Self.event("state", document)
        }
        trimSoon()
    }

    private func state(_ variant: StateVariant) -> ByteBuffer { states[variant] ?? ByteBuffer() }

    /// Ticks each second while a page listens, which also notifies the service manager. Otherwise the machine only wakes for
    /// the notifications that the service manager requires, and to release memory.
    private func schedule() {
        next?.cancel()
        isTicking = !listeners.isEmpty
        let wait: Double
        if isTicking {
            // Each tick aims at the next full second of the wall clock, so that ticks follow when the clock is set.
            let now = WallClock.now().unixSeconds
            wait = now.rounded(.down) + 1.002 - now
        } else {
            let trim = isTrimDue ? Self.trimDelaySeconds : nil
            guard let first = [trim, manager.intervalSeconds].compactMap(\.self).min() else {
                next = nil
                return
            }
            wait = first
        }
        next = loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(wait * 1000))) { [self] in
            if isTicking { beat() } else { trimMemory() }
            manager.alive()
            schedule()
        }
    }

    private func beat() {
        sequence += 1
        poller.noteViewer()
        let tick = tick()
        for (id, stream) in listeners {
            stream.catchUp(state(stream.variant), serial: serial)
            if !stream.offer(tick) {
                listeners[id] = nil
                stream.channel.close(promise: nil)
            }
        }
        if sequence % 5 == 0 { trimMemory() }
    }

    /// Returns the memory to the system that many callers or a new state needed.
    private func trimMemory() {
        guard isTrimDue else { return }
        isTrimDue = false
        Memory.trim()
    }

    private func trimSoon() {
        guard !isTrimDue else { return }
        isTrimDue = true
        if !isTicking { schedule() }
    }

    private func tick() -> ByteBuffer {
        let at = InstantText.rfc3339(WallClock.now(), in: zone, milliseconds: true)
        return Self.event("tick", ByteBuffer(string: "{\"at\": \"\(at)\", \"sequence\": \(sequence)}"))
    }

    /// Formats an event with one `data:` line, because JSON contains no raw line breaks.
    private static func event(_ name: String, _ json: ByteBuffer) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(json.readableBytes + 32)
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeImmutableBuffer(json)
        buffer.writeString("\n\n")
        return buffer
    }
}

/// One listening page. A slow reader gets the newest state once its buffer has room, and is disconnected after half a minute
/// without room.
final class EventStream {
    let channel: any Channel
    let variant: StateVariant
    private var skipped = 0
    private var lastSerial = -1

    private static let mostSkipped = 30

    init(channel: any Channel, variant: StateVariant) {
        self.channel = channel
        self.variant = variant
    }

    func offer(_ state: ByteBuffer, serial: Int) {
        guard channel.isWritable, state.readableBytes > 0 else { return }
        lastSerial = serial
        write(state)
    }

    func catchUp(_ state: ByteBuffer, serial: Int) {
        if lastSerial != serial { offer(state, serial: serial) }
    }

    /// Whether the page still reads fast enough.
    @discardableResult
    func offer(_ tick: ByteBuffer) -> Bool {
        guard channel.isWritable else {
            skipped += 1
            return skipped < Self.mostSkipped
        }
        skipped = 0
        write(tick)
        return true
    }

    private func write(_ buffer: ByteBuffer) {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
    }
}
