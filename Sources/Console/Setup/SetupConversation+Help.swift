import PrayerEngine

/// The answers of `?` to each question.
extension SetupConversation {
    var help: [String] {
        switch stage {
        case .place:
            [
                "  Times depend on the place: 28 km to the west are a minute at the equator, and fewer further north.",
                "  Type a town in any spelling, with its country or state if there are several: cordoba, spain.",
                "  Or coordinates, as a map shows them: 40.7282, -73.7949 or 40°43'42\"N 73°47'42\"W; or the address of a map.",
            ] + receiverHint
        case .town:
            [
                "  Type the number of the town that is meant, or another name, with the country or state behind it."
            ]
        case .naming: ["  The name is only shown, beside the times. The coordinates are what counts."]
        case .zone:
            [
                "  adhand shows and counts times by one time zone. In the wrong one every adhan would be off by hours.",
                "  y writes the place's zone into the configuration; n leaves adhand with the one that is in force.",
            ]
        case .clock:
            [
                "  Both clocks are in use there. Type the number of the one that your mosque's timetable goes by."
            ]
        case .method:
            Method.all.map { "  \($0.name.padded(to: 13)) \($0.title)" } + [
                "  \"adhanctl methods\" shows their angles."
            ]
        case .asr:
            [
                "  standard is the rule of the Shafi'i, Maliki, Hanbali and Ja'fari schools; hanafi is later. Ask your mosque."
            ]
        case .device, .named:
            [
                "  y takes this device, n tries the next one, again plays once more, skip keeps what the file has.",
                "  Hear nothing at all? Is the loudspeaker on, its cable in, its own volume up?",
            ]
        case .output:
            [
                "  y goes on with the next output, n says what to look at, again plays once more, skip asks about none of them.",
                "  Outputs, their devices and volumes are written by hand: [[output]] in adhand.toml(5).",
            ]
        case .noDevice:
            ["  A device's name is ALSA's, such as default or hdmi:CARD=PCH,DEV=0; \"aplay -L\" lists them."]
        case .volume:
            [
                "  Percent of the loudness that the recordings have by themselves. \"adhanctl test-play fajr\" plays what a prayer "
                    + "would play."
            ]
        case .recording, .fajrRecording:
            ["  An MP3 file, by its path: ~/adhan.mp3. Others may be added later: \"adhanctl sound add\"."]
        case .keptTimetable, .keptExceptions:
            [
                "  keep leaves it in force, remove takes it away. \"adhanctl timetable undo\" brings a timetable back;",
                "  doctor says when a timetable does not fit the place.",
            ]
        case .timetable, .timetableSeen:
            [
                "  Any form that mosques and authorities publish: one file, the twelve of a year, a folder or a zip.",
                "  It is held against the sun and shown before anything is saved. \"adhanctl timetable import\" has more options.",
            ]
        case .congregation, .iqama:
            [
                "  13:30          a clock time",
                "  +15m           this long after the adhan",
                "  sunrise-40m    by any event of the day",
                "  Seasons, weeks and limits are written into the configuration: man adhand.toml.",
            ]
        case .friday:
            [
                "  Each congregation of Friday is called at the time of its khutba. adhand.toml(5) tells what else [[jumua.slot]] has."
            ]
        case .alert, .alertSent:
            [
                "  One message when an adhan was not heard, a device has gone or adhand does not answer, and one when it is over.",
                "  ntfy is a free app that shows them. Whoever knows the name can read along, so it is one that nobody guesses.",
                "  A box without power or network cannot say so: the heartbeat does that (man adhan-bridge).",
            ]
        case .times, .largeCorrections:
            [
                "  fajr 5:12    what the mosque says: the minutes are worked out",
                "  isha +2      two minutes more than is shown, so a second +2 makes four",
                "  isha 0       as calculated, without a correction",
            ]
        case .save:
            ["  y writes the file and has a running adhand read it; n lets you change an answer first."]
        case .change: ["  Type one of the words to answer that question again; the other answers stay."]
        }
    }

    private var receiverHint: [String] {
        draft.inputs.hasReceiver
            ? ["  gps asks gpsd, which runs on this machine, for the position of its receiver."] : []
    }
}
