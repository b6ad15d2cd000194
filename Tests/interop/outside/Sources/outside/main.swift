// Asks adhand, changes something, follows what comes of it, and is refused: what another program does with the products.
import ControlClient
import Protocol

/// Ends the program unless what adhand said is as expected.
func expect(_ isTrue: Bool, _ what: String) {
    guard isTrue else { fatalError("not as expected: \(what)") }
    print("ok: \(what)")
}

let client =
    CommandLine.arguments.count > 1 ? ControlClient(socket: CommandLine.arguments[1]) : ControlClient()

// Another client may have muted it before.
try client.call(.unmute)
let status = try client.call(.getStatus).status
expect(status.location.name == "Queens, New York", "the status names the place")
expect(!status.mute.active, "nothing is muted")

var monitor = ControlMonitor(client, snapshot: true)
guard case .connected(let snapshot) = try monitor.next(withinSeconds: 10) else {
    fatalError("no snapshot came")
}
expect(snapshot?.location.name == "Queens, New York", "a monitor begins with the status")

let reply = try client.call(.mute, MuteParameters(duration: "1h"))
expect(!reply.message.isEmpty, "adhand answers a change: \(reply.message)")
expect(try client.call(.getStatus).status.mute.active, "it is muted now")

var isSeen = false
for _ in 0..<20 where !isSeen {
    if case .event(let entry) = try monitor.next(withinSeconds: 1) { isSeen = entry.event == "mute.changed" }
}
expect(isSeen, "the monitor tells of the change")

do {
    try client.call(.mute, MuteParameters(duration: "soon"))
    expect(false, "a duration that is none is refused")
} catch {
    guard case .refused(let refusal) = error else { fatalError("another failure: \(error.message)") }
    expect(!refusal.sentence.isEmpty, "a refusal has a sentence: \(refusal.sentence)")
}

let parts = try client.collect(.getHistory, HistoryParameters(days: 7))
expect(!parts.isEmpty, "the history comes in parts")

do {
    _ = try ControlClient(socket: "/nonexistent/control.sock").call(.getStatus)
    expect(false, "nobody answers at a path that does not exist")
} catch {
    guard case .unreachable = error else { fatalError("another failure: \(error.message)") }
    expect(true, "a daemon that is not there is reported apart: \(error.message)")
}
