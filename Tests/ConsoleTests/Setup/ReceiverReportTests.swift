import Places
import Testing

@testable import Console

@Suite("What gpsd says")
struct ReceiverReportTests {
    private static let devices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"# + "\n"

    @Test("The position is taken from the first report that has one, however it is cut")
    func position() {
        let text =
            #"{"class":"VERSION","release":"3.22"}"# + "\n" + Self.devices + #"{"class":"TPV","mode":1}"#
            + "\n"
            + #"{"class":"TPV","mode":3,"lat":52.520006599,"lon":13.404954,"alt":40.1}"# + "\n"
        for size in [1, 7, 1000] {
            var report = ReceiverReport()
            var found: ReceiverPosition?
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found = report.consume(Array(rest.prefix(size))) ?? found
                rest = rest.dropFirst(size)
            }
            #expect(found == .point(latitude: 52.52001, longitude: 13.40495))
        }
    }

    @Test("Without a position it says why")
    func reasons() {
        var none = ReceiverReport()
        #expect(none.consume(Array((#"{"class":"DEVICES","devices":[]}"# + "\n").utf8)) == nil)
        #expect(none.reason == "gpsd has no receiver")
        var searching = ReceiverReport()
        #expect(searching.consume(Array((Self.devices + #"{"class":"TPV","mode":1}"# + "\n").utf8)) == nil)
        #expect(searching.reason.contains("view of the sky"))
    }

    @Test("What is no report is passed over, and what never ends a line is given up")
    func nonsense() {
        var report = ReceiverReport()
        #expect(
            report.consume(Array("garbage\n{}\n{\"class\":\"TPV\",\"mode\":3,\"lat\":95,\"lon\":0}\n".utf8))
                == nil)
        #expect(
            report.consume([UInt8](repeating: 65, count: 70_000))
                == .unknown(reason: "what answers is not gpsd")
        )
    }

    @Test("A listening port is found in the kernel's table; a connection is none")
    func ports() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
               1: 0100007F:0016 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 2
            """
        #expect(ListeningPorts.contains(2947, in: Array(table.utf8)))
        #expect(!ListeningPorts.contains(22, in: Array(table.utf8)))
        #expect(!ListeningPorts.contains(2947, in: []))
    }
}
