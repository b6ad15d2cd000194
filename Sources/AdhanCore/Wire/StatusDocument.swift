import PrayerEngine

/// `status`: everything about now, in the words of the contract. Instants are RFC 3339 with the local offset.
package struct StatusDocument: Codable, Sendable, Equatable {
    package struct Location: Codable, Sendable, Equatable {
        package let name: String
        package let latitude: Double
        package let longitude: Double
        package let timezone: String
        package let approximate: Bool
    }

    package struct Calculation: Codable, Sendable, Equatable {
        /// The name of the method in force, also where the place chose it.
        package let method: String
        package let asr: String
        package let highLatitude: String
        /// Who chose the method; an older adhand does not say.
        package var methodChosenBy: MethodChoice.Chooser?
        /// The town whose country's practice it is, where the place chose it and a town is near.
        @Nullable package var methodPlace: String?
        /// Another country that is as near, and its method.
        @Nullable package var methodNeighbour: Neighbour?
        /// The method of an earlier version of adhand, while nobody has confirmed that the place's is meant.
        @Nullable package var methodBefore: Before?

        package struct Before: Codable, Sendable, Equatable {
            package let method: String
            package let asr: String
        }

        package struct Neighbour: Codable, Sendable, Equatable {
            package let country: String
            package let method: String
        }

        package init(
            method: String, asr: String, highLatitude: String, methodChosenBy: MethodChoice.Chooser? = nil,
            methodPlace: String? = nil, methodNeighbour: Neighbour? = nil
        ) {
            (self.method, self.asr, self.highLatitude) = (method, asr, highLatitude)
            self.methodChosenBy = methodChosenBy
            self.methodPlace = methodPlace
            self.methodNeighbour = methodNeighbour
        }

        package init(_ site: Site, before: PractisedMethod? = nil) {
            method = site.calculation.method.name
            asr = site.calculation.asr.rawValue
            highLatitude = site.calculation.highLatitude.rawValue
            methodChosenBy = site.choice.chooser
            methodPlace = site.choice.place
            methodNeighbour = site.choice.neighbour.map { .init(country: $0.country, method: $0.method) }
            methodBefore = before.map { .init(method: $0.method, asr: $0.asr) }
        }
    }

    package struct Clock: Codable, Sendable, Equatable {
        package let synchronized: Bool
        package let trusted: Bool
        /// While it is not trusted: the time that adhand has already seen, later than what the clock shows; absent when that is
        /// only before any adhand was made, and from an older adhand.
        package var seen: String?
    }

    package struct MuteState: Codable, Sendable, Equatable {
        /// Whether something is silent because of it.
        package let active: Bool
        @Nullable package var until: String?
        @Nullable package var scope: String?
        /// The one adhan that is muted, and when it is due; left out of every other mute, and by an older adhand.
        package var id: String?
        package var at: String?
        /// Why nothing is silent because of it, while it is not active.
        package var obstacle: Mute.Obstacle?
    }

    package struct Next: Codable, Sendable, Equatable {
        package let id: String
        package let prayer: String
        package let at: String
        package let inSeconds: Double
        /// Who says when it is; an older adhand does not say.
        package var source: OccasionDocument.Source?
    }

    package struct PrayerState: Codable, Sendable, Equatable {
        /// An older adhand does not say.
        package var id: String?
        package let prayer: String
        package let at: String
        package let enabled: Bool
        package let sound: [String]
        package let volume: Int
        package let state: Outcome
        /// Who says when it is; an older adhand does not say.
        package var source: OccasionDocument.Source?
    }

    package struct Playback: Codable, Sendable, Equatable {
        package enum State: String, Codable, Sendable {
            case idle, cued, playing, stopping
        }

        package let state: State
        @Nullable package var id: String?
        @Nullable package var prayer: String?
        @Nullable package var sound: String?
        @Nullable package var positionSeconds: Double?
        @Nullable package var durationSeconds: Double?
        /// False while something plays of which nothing is heard, because adhand looks for a device; an older adhand does not say.
        package var audible: Bool?
        /// Why that is so; left out where all is well.
        package var problem: String?
    }

    package struct Audio: Codable, Sendable, Equatable {
        package let devices: [String]
        /// Whether one of `devices` opened when it was last used or tried. False as long as nobody has looked.
        package let healthy: Bool
        @Nullable package var lastError: String?
        @Nullable package var checkedAt: String?
        /// The device that was used or tried last; an older adhand does not say.
        package var device: String?
        /// When something was last heard from it.
        package var heardAt: String?

        /// Whether somebody looked, and it was not well.
        package var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) }
    }

    package struct ConfigurationProblem: Codable, Sendable, Equatable {
        package let file: String
        package let line: Int
        package let column: Int
        /// What is wrong, and what is in force instead.
        package let message: String
        /// What to type to have the files read at once; an older adhand does not say.
        package var fix: String?
        /// Whether the text has a mistake, a file has gone or lost its text, or a file system does not answer; an older adhand
        /// does not say.
        package var cause: ConfigError.Cause?

        init(_ problem: AdhanCore.ConfigurationProblem) {
            file = problem.error.file
            line = problem.error.line
            column = problem.error.column
            message = problem.message
            fix = AdhanCore.ConfigurationProblem.fix
            cause = problem.error.cause
        }
    }

    package struct StateLoss: Codable, Sendable, Equatable {
        package let cause: AdhanCore.StateLoss.Cause
        /// When it was noticed.
        package let at: String
        /// Whether what was decided by hand came back from its copy.
        package let restored: Bool
        /// One sentence.
        package let message: String
        /// What to type to confirm it.
        package let fix: String

        init(_ loss: AdhanCore.StateLoss, in zone: Zone) {
            cause = loss.cause
            at = InstantText.rfc3339(loss.at, in: zone)
            restored = loss.isRestored
            message = loss.message(in: zone)
            fix = AdhanCore.StateLoss.fix
        }
    }

    /// What is wrong with the machine's zone, or with the place.
    package struct Problem: Codable, Sendable, Equatable {
        package let code: String
        package let message: String
        /// What to type.
        @Nullable package var fix: String?
    }

    package struct Timetable: Codable, Sendable, Equatable {
        /// Days with a row of their own, and days of every year.
        package let days: Int
        package let everyYear: Int
        @Nullable package var first: String?
        @Nullable package var last: String?
        /// The events of today that come from it.
        package let published: [String]
        /// What is done on days that it does not have: `compute` or `silent`.
        package let missing: String
        /// Whether that is done today, and nothing is called for want of a row; an older adhand does not say.
        package var isSilent: Bool?
        /// What somebody should do about it; `null` when nothing.
        @Nullable package var warning: String?
        /// Whether it can hardly be meant for this place: `sun` or `elsewhere`; ``warning`` says why.
        package var mismatch: TimetableMismatch.Code?
        /// The place for which it was imported, where that is another one.
        package var importedFor: String?
        /// Why the file in the state directory is not in force; `null` when it is.
        @Nullable package var problem: String?
    }

    package struct ExceptionProblem: Codable, Sendable, Equatable {
        package let date: String
        package let prayer: String
        /// One sentence.
        package let message: String
        /// What to type.
        package let fix: String
    }

    package let version: String
    package let now: String
    package let startedAt: String
    package let configuration: String
    package let location: Location
    package let calculation: Calculation
    package let clock: Clock
    package let mute: MuteState
    @Nullable package var next: Next?
    package let prayers: [PrayerState]
    package let playback: Playback
    package let audio: Audio
    package let timers: [TimerEntry]
    /// What is wrong with the configuration on disk while an older one is in force; `null` when it is in force itself.
    @Nullable package var configurationProblem: ConfigurationProblem?
    /// Why the time zone in force is not the one that the machine's files say; `null` when it is.
    @Nullable package var zoneProblem: Problem?
    /// Why nothing is called: nobody has said where this is. The codes are those of ``PlaceProblem/Code``.
    @Nullable package var placeProblem: Problem?
    /// What is published; `null` when nothing is.
    @Nullable package var timetable: Timetable?
    /// The first time set by hand that can hardly be meant for this place; an older adhand does not say.
    package var exceptionProblem: ExceptionProblem?
    /// What is wrong with the state on disk; `null` when all is well.
    @Nullable package var stateProblem: String?
    /// That the state was lost at a start, until somebody confirms it; left out otherwise, and by an older adhand.
    package var stateLoss: StateLoss?
    /// Where this daemon keeps its state and the added sounds, and where the shipped ones are.
    @Nullable package var stateDirectory: String?
    @Nullable package var audioDirectory: String?
    /// What is switched off or silent, whatever today is; an older adhand does not say.
    package var switchedOff: [SwitchedOff]?
    /// Prayers to come that are skipped; left out while there are none, and by an older adhand.
    package var skips: [SkipDocument]?
}
