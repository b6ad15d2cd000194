import Texts

@testable package import Protocol

/// A status as the daemon would give it, on a Friday afternoon in Queens.
package struct SampleStatus {
    package var now = "2026-11-20T13:07:12.500-05:00"
    package var startedAt = "2026-11-17T09:00:00.000-05:00"
    package var approximate = false
    package var clock = #"{"synchronized": true, "trusted": true}"#
    package var mute = #"{"active": false, "until": null, "scope": null}"#
    package var next =
        #"{"id": "asr_20261120", "prayer": "asr", "at": "2026-11-20T14:31:00.000-05:00", "inSeconds": 5027.5}"#
    package var fajr = "played"
    package var jumua = "played"
    package var asr = "upcoming"
    package var playback = #"{"state": "idle"}"#
    package var audio =
        #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": "2026-11-20T11:42:08.000-05:00"}"#
    package var stateProblem = "null"
    package var internalProblem = "null"
    package var configurationProblem = "null"
    package var switchedOff = "[]"
    package var timetable = "null"
    /// Without a place no prayer has a time.
    package var hasPrayers = true

    package init() {}

    package var document: StatusDocument {
        get throws {
            let prayers = [("fajr", "05:21", fajr), ("jumua", "11:41", jumua), ("asr", "14:31", asr)].map {
                #"{"prayer": "\#($0)", "at": "2026-11-20T\#($1):00.000-05:00", "enabled": true, "#
                    + #""sound": ["standard"], "volume": 80, "state": "\#($2)"}"#
            }
            let text = """
                {"version": "0.1.0", "now": "\(now)", "startedAt": "\(startedAt)",
                 "configuration": "/etc/adhand/adhand.toml",
                 "location": {"name": "Queens, New York", "latitude": 40.7282, "longitude": -73.7949,
                  "timezone": "America/New_York", "approximate": \(approximate)},
                 "calculation": {"method": "isna", "asr": "hanafi", "highLatitude": "auto"},
                 "clock": \(clock), "mute": \(mute), "next": \(next), "prayers": [\(hasPrayers ? prayers.joined(separator: ",") : "")],
                 "playback": \(playback), "audio": \(audio), "timers": [], "internalProblem": \(internalProblem), "stateProblem": \(stateProblem),
                 "configurationProblem": \(configurationProblem), "switchedOff": \(switchedOff),
                 "timetable": \(timetable)}
                """
            return try JSON.decode(StatusDocument.self, from: text.utf8)
        }
    }
}
