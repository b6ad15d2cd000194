import ControlClient
import Foundation
import LabSupport
import Protocol
import Testing
import Texts

@Suite("The client of the control socket")
struct ControlClientTests {
    @Test("A daemon that answers a byte at a time is given up when its time is over")
    func trickle() throws {
        let program = Adhanctl()
        let service = FakeService(in: program.home) { _ in
            .trickle(Array(repeating: UInt8(ascii: " "), count: 100), interval: 0.1)
        }
        let client = ControlClient(socket: service.path)
        let begin = ContinuousClock.now
        #expect {
            try client.call(.getStatus, patienceSeconds: 1)
        } throws: {
            ($0 as? ControlClientError)?.isHang == true
        }
        #expect(ContinuousClock.now - begin < .seconds(4))
    }

    @Test("A monitor that was begun is not waited for without end, when its events come a byte at a time")
    func silence() throws {
        let program = Adhanctl()
        let service = FakeService(in: program.home) { _ in .silence }
        var monitor = ControlMonitor(ControlClient(socket: service.path), snapshot: false)
        #expect(try monitor.next(withinSeconds: 1) == .connected(nil))
        let begin = ContinuousClock.now
        #expect(try monitor.next(withinSeconds: 0.3) == .nothing)
        #expect(ContinuousClock.now - begin > .milliseconds(250))
        withExtendedLifetime(service) {}
    }

    @Test("A monitor outlives the daemon: it says that it is gone, and what is true when it is back")
    func restart() throws {
        let program = Adhanctl()
        let status = try SampleDocuments.status()
        let event = try SampleDocuments.log()[0]
        let replies: [Reply] = [
            .document(MonitorReply(status: status)), .document(MonitorReply(event: event)),
        ]
        var service: FakeService? = FakeService(in: program.home) { request in
            #expect(request == .monitor(snapshot: true))
            return .stream(replies)
        }
        let client = ControlClient(socket: try #require(service?.path))
        var monitor = ControlMonitor(client, snapshot: true)
        #expect(try monitor.next(withinSeconds: 5) == .connected(status))
        #expect(try monitor.next(withinSeconds: 5) == .event(event))
        #expect(try monitor.next(withinSeconds: 5) == .lost(.closed(method: "Monitor")))
        // While it is away, time passes and nothing else.
        service = nil
        unsafe unlink(client.socket)
        #expect(try monitor.next(withinSeconds: 0.5) == .nothing)
        service = FakeService(in: program.home) { _ in .stream(replies) }
        #expect(try monitor.next(withinSeconds: 10) == .connected(status))
        #expect(try monitor.next(withinSeconds: 5) == .event(event))
        withExtendedLifetime(service) {}
    }

    @Test("A monitor of a daemon that was never there is an error")
    func absent() throws {
        var monitor = ControlMonitor(ControlClient(socket: "/nonexistent/s"), snapshot: true)
        #expect(throws: ControlClientError.self) { try monitor.next(withinSeconds: 1) }
    }

    @Test("An answer whose parts never end is given up by its size, and by its time")
    func endless() throws {
        let program = Adhanctl()
        let part = try JSON.decode(
            HistoryDocument.self, from: try ExpectedText.read("history.json", in: .module).utf8)
        let service = FakeService(in: program.home) { _ in
            .stream(Array(repeating: .document(HistoryReply(history: part)), count: 2000))
        }
        let bySize = ControlClient.AnswerLimits(bytes: 100_000, seconds: 60)
        #expect(throws: ControlClientError.endless(path: service.path, method: "GetHistory", bySize)) {
            try ControlClient(socket: service.path).collect(
                .getHistory, HistoryParameters(), limits: bySize)
        }
        let byTime = ControlClient.AnswerLimits(bytes: 1 << 30, seconds: 0)
        #expect(throws: ControlClientError.endless(path: service.path, method: "GetHistory", byTime)) {
            try ControlClient(socket: service.path).collect(
                .getHistory, HistoryParameters(), limits: byTime)
        }
    }

    @Test("An answer in several parts is collected")
    func parts() throws {
        let program = Adhanctl()
        let history = try JSON.decode(
            HistoryDocument.self, from: try ExpectedText.read("history.json", in: .module).utf8)
        let service = FakeService(in: program.home) { _ in
            .raw(
                ((try? Varlink.reply(.document(HistoryReply(history: history)), continues: true)) ?? [])
                    + ((try? Varlink.reply(.document(HistoryReply(history: history)))) ?? []))
        }
        let parts = try ControlClient(socket: service.path).collect(.getHistory, HistoryParameters())
        #expect(parts.map(\.history) == [history, history])
    }
}
