import BoxCard
import Console
import Testing
import Texts

@Suite("The box's own network")
struct HotspotTests {
    @Test("It has the beginning of the machine-id, and a name for a machine without one")
    func name() {
        #expect(Hotspot.name(machine: "1A2b3c4d5e6f708192a3b4c5d6e7f809") == "adhan-1a2b3c")
        #expect(Hotspot.name(machine: "1a2b3d4d5e6f708192a3b4c5d6e7f809") == "adhan-1a2b3d")
        for damaged in [nil, "", "1a2b3", "uninitialized", "1a2b;c4d", "١٢٣٤٥٦"] {
            #expect(Hotspot.name(machine: damaged) == "adhan-box")
        }
        let key = HotspotKey(random: [UInt8](repeating: 0, count: 8))
        #expect(key.joinCode(network: Hotspot.name(machine: nil)) != nil)
        #expect(
            key.joinCode(network: Hotspot.name(machine: "1a2b3c4d"))
                == "WIFI:T:WPA;S:adhan-1a2b3c;P:0000-0000-0000;;")
    }

    @Test("The report promises it under its own name, and only where the box can make it")
    func report() {
        var report = CardReport()
        report.hostname = "masjid"
        (report.hotspotName, report.hotspotKey) = ("adhan-1a2b3c", "k7m2-9qxd-4wtp")
        func line() -> String? {
            report.text.split(separator: "\n").first { $0.hasPrefix("Hotspot ") }.map(String.init)
        }
        #expect(
            line() == "Hotspot      adhan-1a2b3c, key k7m2-9qxd-4wtp, page http://10.77.77.1")
        report.hotspotIsImpossible = true
        #expect(
            line()?.contains("no hotspot with this radio; use a cable or the card") == true
                && line()?.contains("adhan-1a2b3c") == false && line()?.contains("k7m2-9qxd-4wtp") == true)
        report.hotspotIsOff = true
        // It still claims a box without a screen.
        #expect(
            line()
                == "Hotspot      off, as box.txt says. The key k7m2-9qxd-4wtp is a code for the phone page")
        report.phoneIsOff = true
        #expect(line() == "Hotspot      off, as box.txt says")
        report.hotspotIsOff = false
        #expect(line() == "Hotspot      off, as box.txt says")
    }

    @Test("A refusal says why and what to do", arguments: HotspotObstacle.allCases)
    func obstacles(obstacle: HotspotObstacle) {
        let sentence = obstacle.sentence(host: "masjid")
        #expect(sentence.contains(";") && !sentence.hasSuffix("."))
        #expect(sentence.contains("http://masjid.local:8790") == (obstacle == .cable || obstacle == .joined))
    }
}
