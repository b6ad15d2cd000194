internal import AdhanCore
internal import CSystemd
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import PrayerEngine

/// Who listens to events, and what they are all told: the state when it changed, and a tick each second. On the loop only.
final class Hub {
    private let loop: any EventLoop
    private let follower: Follower
    private let zone: Zone
    private var listeners: [ObjectIdentifier: EventStream] = [:]
    private var sequence = 0
    /// The event `state`, by who is told.
    private var states: [Audience: ByteBuffer] = [:]
    private var serial = -1
    private var isTrimDue = false

    init(loop: any EventLoop, follower: Follower, zone: Zone) {
        self.loop = loop
        self.follower = follower
        self.zone = zone
    }

    // MARK: Events

    func listen(_ channel: any Channel, _ audience: Audience) {
        refreshState()
        let stream = EventStream(channel: channel, audience: audience)
        let id = ObjectIdentifier(channel)
        listeners[id] = stream
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in listeners[id] = nil }
        stream.offer(state(audience), serial: serial)
        stream.offer(tick())
    }

    func begin() {
        scheduleTick()
    }

    /// A caller has left, and with it what it needed of memory.
    func isLess() { isTrimDue = true }

    func stateHasChanged() {
        refreshState()
        for stream in listeners.values { stream.offer(state(stream.audience), serial: serial) }
    }

    private func refreshState() {
        let now = follower.now
        guard now.serial != serial else { return }
        serial = now.serial
        states = now.documents.filter { $0.value.readableBytes > 0 }.mapValues { Self.event("state", $0) }
        isTrimDue = true
    }

    private func state(_ audience: Audience) -> ByteBuffer { states[audience] ?? ByteBuffer() }

    /// Each tick is aimed at the next second of the wall anew: a step of the clock moves it with it.
    private func scheduleTick() {
        let now = WallClock.now().unixSeconds
        let wait = now.rounded(.down) + 1.002 - now
        _ = loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(wait * 1000))) { [self] in
            beat()
            scheduleTick()
        }
    }

    private func beat() {
        sequence += 1
        let tick = tick()
        for (id, stream) in listeners {
            stream.catchUp(state(stream.audience), serial: serial)
            if !stream.offer(tick) {
                listeners[id] = nil
                stream.channel.close(promise: nil)
            }
        }
        _ = unsafe sd_notify(0, "WATCHDOG=1")
        // What many callers or a new state needed goes back to the system.
        if isTrimDue, sequence % 5 == 0 {
            isTrimDue = false
            Memory.giveBack()
        }
    }

    private func tick() -> ByteBuffer {
        let at = InstantText.rfc3339(WallClock.now(), in: zone, milliseconds: true)
        return Self.event("tick", ByteBuffer(string: "{\"at\": \"\(at)\", \"sequence\": \(sequence)}"))
    }

    /// JSON has no raw line breaks, so that one `data:` line is enough.
    private static func event(_ name: String, _ json: ByteBuffer) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(json.readableBytes + 32)
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeImmutableBuffer(json)
        buffer.writeString("\n\n")
        return buffer
    }
}

/// One page that listens. A reader who is slow gets the newest state once there is room again, and is let go when there is
/// none for half a minute.
final class EventStream {
    let channel: any Channel
    let audience: Audience
    private var skipped = 0
    private var told = -1

    private static let mostSkipped = 30

    init(channel: any Channel, audience: Audience) {
        self.channel = channel
        self.audience = audience
    }

    func offer(_ state: ByteBuffer, serial: Int) {
        guard channel.isWritable, state.readableBytes > 0 else { return }
        told = serial
        write(state)
    }

    func catchUp(_ state: ByteBuffer, serial: Int) {
        if told != serial { offer(state, serial: serial) }
    }

    /// Whether it still keeps up.
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
