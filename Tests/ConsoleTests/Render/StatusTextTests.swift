import BoxSupport
import Testing

@testable import Console
@testable import Protocol
@testable import Texts

extension SampleStatus {
    fileprivate static func rendered(_ style: Style = .plain, _ edit: (inout SampleStatus) -> Void = { _ in })
        throws
        -> String
    {
        var status = SampleStatus()
        edit(&status)
        return StatusText.render(try status.document, style)
    }
}

@Suite("adhanctl status")
struct StatusTextTests {
    @Test("When all is well it is calm")
    func calm() throws {
        let expected = """
            Asr at 14:31, in 1 h 23 min
            Friday 20 November 2026, 13:07

               Fajr     05:21  played  standard, volume 80
               Jumu'ah  11:41  played  standard, volume 80
            >  Asr      14:31  next    standard, volume 80

            Mute      off
            Playback  idle
            Audio     healthy on "default", last heard 11:42
            Clock     synchronized
            Place     Queens, New York (40.7282, -73.7949), America/New_York
            Method    isna, Asr hanafi, high latitude auto
            Daemon    adhand 0.1.0, running for 3 d 4 h, configuration:
                      /etc/adhand/adhand.toml

            """
        #expect(try SampleStatus.rendered() == expected)
    }

    typealias Edit = @Sendable (inout SampleStatus) -> Void
    static let cases: [(Edit, lines: [String])] = [
        (
            { $0.mute = #"{"active": true, "until": "2026-11-20T15:07:00.000-05:00", "scope": "all"}"# },
            [
                "Asr at 14:31, in 1 h 23 min (muted)", ">  Asr      14:31  muted   standard, volume 80",
                "Mute      everything is silent until 15:07",
            ]
        ),
        (
            { $0.mute = #"{"active": true, "until": "2026-11-20T14:30:00.000-05:00", "scope": "all"}"# },
            ["Asr at 14:31, in 1 h 23 min", "Mute      everything is silent until 14:30"]
        ),
        (
            { $0.mute = #"{"active": true, "until": "2026-11-21T05:00:00.000-05:00", "scope": "all"}"# },
            ["Mute      everything is silent until 05:00 tomorrow"]
        ),
        (
            { $0.mute = #"{"active": true, "until": null, "scope": "all"}"# },
            ["Mute      everything is silent until \"adhanctl unmute\""]
        ),
        (
            { $0.mute = #"{"active": true, "until": null, "scope": "next"}"# },
            ["Asr at 14:31, in 1 h 23 min (muted)", "Mute      the next adhan will be silent"]
        ),
        (
            {
                $0.playback =
                    #"{"state": "playing", "id": "x", "prayer": "asr", "sound": "standard", "#
                    + #""positionSeconds": 12.4, "durationSeconds": 214.0}"#
                $0.asr = "playing"
            },
            [
                "playing Asr (standard), 0:12 of 3:34", ">  Asr      14:31  playing  standard, volume 80",
                "Playback  playing Asr (standard), 0:12 of 3:34",
            ]
        ),
        (
            { $0.playback = #"{"state": "cued", "prayer": "asr", "sound": "standard"}"# },
            ["Playback  Asr (standard) is ready to start"]
        ),
        (
            { $0.playback = #"{"state": "stopping", "prayer": "asr", "sound": "standard"}"# },
            ["Asr (standard) is fading out"]
        ),
        ({ $0.fajr = "missed" }, ["   Fajr     05:21  missed  standard, volume 80"]),
        (
            {
                $0.fajr = "missed"
                $0.startedAt = "2026-11-20T13:00:00.000-05:00"
            },
            ["   Fajr     05:21  passed before adhand started  standard, volume 80"]
        ),
        ({ $0.fajr = "upcoming" }, ["   Fajr     05:21  passed  standard, volume 80"]),
        ({ $0.next = "null" }, ["No prayer is enabled in the coming 24 hours"]),
        (
            {
                $0.next =
                    #"{"id": "f", "prayer": "fajr", "at": "2026-11-21T05:22:00.000-05:00", "inSeconds": 58487.5}"#
            },
            ["Fajr at 05:22 tomorrow, in 16 h 14 min"]
        ),
        (
            { $0.approximate = true },
            [
                "Place     Queens, New York (40.7282, -73.7949), America/New_York",
                "          Approximate: no location is set, so the main place of the time zone",
                "          stands in. Run \"adhanctl setup\", or set latitude and longitude under",
                "          [location] in /etc/adhand/adhand.toml, for times that are right where",
                "          you are.",
            ]
        ),
        (
            {
                $0.audio =
                    #"{"devices": ["hw:1,0"], "healthy": false, "lastError": "cannot open \"hw:1,0\": No such device"}"#
            },
            [
                "Audio     cannot open \"hw:1,0\": No such device",
                "          Check the cable and [audio] devices (now \"hw:1,0\"), then try",
                "          \"adhanctl test-play next\".",
            ]
        ),
        (
            { $0.audio = #"{"devices": ["default"], "healthy": true}"# },
            ["Audio     \"default\", not used yet; \"adhanctl test-play next\" tries it"]
        ),
        (
            { $0.clock = #"{"synchronized": false, "trusted": false}"# },
            [
                "Nothing is called until the clock is set",
                "Clock     the clock shows Friday 20 November 2026, 13:07, which is long past",
                "          Connect the network, or type \"sudo date --set='YYYY-MM-DD HH:MM'\"",
                "          with the right time.",
            ]
        ),
        (
            { $0.clock = #"{"synchronized": false, "trusted": true}"# },
            ["Clock     not synchronized; it may run slow or fast"]
        ),
        (
            { $0.stateProblem = #""cannot write \"/var/lib/adhand/state.json\": Read-only file system""# },
            [
                "State     cannot write \"/var/lib/adhand/state.json\": Read-only file system"
            ]
        ),
    ]

    @Test(
        "What is out of the ordinary has its line, and nothing is wider than 80 columns",
        arguments: cases.indices)
    func line(index: Int) throws {
        let (edit, lines) = Self.cases[index]
        let text = try SampleStatus.rendered(.plain, edit)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in lines { #expect(all.contains(line), "\(text)") }
        #expect(all.allSatisfy { $0.count <= 80 })
        #expect(all.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test("Colours add nothing but themselves")
    func colours() throws {
        for (edit, _) in Self.cases {
            let plain = try SampleStatus.rendered(.plain, edit)
            let coloured = try SampleStatus.rendered(.coloured, edit)
            #expect(!plain.contains("\u{1B}"))
            #expect(coloured.contains("\u{1B}["))
            #expect(coloured.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
        }
    }
}

@Suite("adhanctl next")
struct NextTextTests {
    @Test("One line, with a mute if there is one")
    func text() throws {
        var status = SampleStatus()
        #expect(NextText.render(try status.document, .plain) == "Asr at 14:31, in 1 h 23 min\n")
        status.mute = #"{"active": true, "until": null, "scope": "all"}"#
        #expect(NextText.render(try status.document, .plain) == "Asr at 14:31, in 1 h 23 min (muted)\n")
        status.next = "null"
        #expect(
            NextText.render(try status.document, .plain) == "no prayer is enabled in the coming 24 hours\n")
    }

    @Test("Waybar gets the next prayer and how far the time to it has gone")
    func waybar() throws {
        let bar = WaybarDocument(try SampleStatus().document)
        #expect(bar.text == "Asr 14:31")
        #expect(bar.class == .upcoming)
        // 11:41:00 to 13:07:12.5 of 11:41:00 to 14:31:00.
        #expect(bar.percentage == 50)
        #expect(
            bar.tooltip
                == "Fajr 05:21 played\nJumu'ah 11:41 played\nAsr 14:31 next\nAsr at 14:31, in 1 h 23 min")
    }

    @Test("Waybar's class follows what matters most")
    func waybarClass() throws {
        var status = SampleStatus()
        status.next =
            #"{"id": "a", "prayer": "asr", "at": "2026-11-20T14:31:00.000-05:00", "inSeconds": 600}"#
        #expect(WaybarDocument(try status.document).class == .soon)
        status.mute = #"{"active": true, "until": null, "scope": "all"}"#
        #expect(WaybarDocument(try status.document).class == .muted)
        status.playback = #"{"state": "playing", "prayer": "jumua"}"#
        let playing = WaybarDocument(try status.document)
        #expect(playing.class == .playing)
        #expect(playing.text == "Jumu'ah 11:41")
    }

    @Test("Waybar does not look well while the box is not")
    func waybarProblems() throws {
        let faults: [((inout SampleStatus) -> Void, String)] = [
            (
                {
                    $0.configurationProblem =
                        #"{"file": "/a", "line": 1, "column": 1, "message": "<b> cannot be used"}"#
                }, "Configuration: &lt;b&gt; cannot be used"
            ),
            ({ $0.stateProblem = #""cannot write""# }, "State: cannot write"),
            (
                { $0.clock = #"{"synchronized": false, "trusted": false}"# },
                "Clock: nothing is called until it is set"
            ),
            (
                {
                    $0.audio =
                        #"{"devices": ["default"], "healthy": false, "lastError": "no card", "checkedAt": null}"#
                }, "Audio: no card"
            ),
        ]
        for (spoil, line) in faults {
            var status = SampleStatus()
            status.mute = #"{"active": true, "until": null, "scope": "all"}"#
            spoil(&status)
            let bar = WaybarDocument(try status.document)
            #expect(bar.class == .problem && bar.text == "Asr 14:31")
            #expect(bar.tooltip.split(separator: "\n").last.map(String.init) == line)
        }
    }

    @Test("Before the day's first prayer the share counts from yesterday's last one")
    func waybarAtNight() throws {
        var status = SampleStatus()
        status.now = "2026-11-20T02:21:00.000-05:00"
        status.next =
            #"{"id": "f", "prayer": "fajr", "at": "2026-11-20T05:21:00.000-05:00", "inSeconds": 10800}"#
        // 14:31 to 05:21 are 890 minutes, of which 710 have passed.
        #expect(WaybarDocument(try status.document).percentage == 79)
        status.next = "null"
        let bar = WaybarDocument(try status.document)
        #expect(bar.text == "" && bar.class == .upcoming && bar.percentage == 0)
        // A line for each prayer, and none about the next.
        #expect(bar.tooltip.split(separator: "\n").count == 3)
    }
}
