internal import Texts

/// `/r/settings`, and the parts of it that other pages show.
package struct SettingsFacts: Sendable, Equatable {
    /// The least rights for a key.
    package enum Right: String, Sendable, CaseIterable { case household, keeper, fresh }

    package enum State: String, Sendable, CaseIterable { case set, pinned, superseded, invalid, unknown }

    package struct Key: Sendable, Equatable {
        package let key: String
        /// `flag`, `volume`, `integer`, `choice`, `duration`, `text`, `tables`, …, as `GetSettings` says it.
        package let kind: String
        /// Completes "KEY must be …".
        package let allowed: String
        package let right: Right
        /// The value in force, in plain words.
        package let value: String
        /// `nil` if it was never set through the door.
        package let state: State?
        package let by: String?
        /// Why it cannot be set, or is not in force.
        package let reason: String?

        package init(
            key: String, kind: String, allowed: String, right: Right, value: String, state: State? = nil,
            by: String? = nil, reason: String? = nil
        ) {
            self.key = key
            self.kind = kind
            self.allowed = allowed
            self.right = right
            self.value = value
            self.state = state
            self.by = by
            self.reason = reason
        }

        var section: String { String(key.prefix { $0 != "." }) }
    }

    package struct Change: Sendable, Equatable {
        package let number: Int
        /// `2026-11-24T16:32:00+01:00`
        package let at: String
        package let by: String
        /// `adhan.fajr.volume 60 → 45`
        package let steps: [String]

        package init(number: Int, at: String, by: String, steps: [String]) {
            self.number = number
            self.at = at
            self.by = by
            self.steps = steps
        }
    }

    /// The newest change: `expect` of the forms.
    package let change: Int
    package let keys: [Key]
    /// The newest first.
    package let changes: [Change]

    package init(change: Int, keys: [Key], changes: [Change] = []) {
        self.change = change
        self.keys = keys
        self.changes = changes
    }
}

/// `/r/friday`: the keys below `jumua`.
package struct FridayFacts: Sendable, Equatable {
    package let settings: SettingsFacts
    package init(settings: SettingsFacts) { self.settings = settings }
}

/// `/r/ramadan`: the keys below `ramadan`, and today's date in the Hijri calendar.
package struct RamadanFacts: Sendable, Equatable {
    package let settings: SettingsFacts
    /// `29 Sha'ban 1448 AH`, in the reader's language.
    package let today: String

    package init(settings: SettingsFacts, today: String) {
        self.settings = settings
        self.today = today
    }
}

package struct AnnouncementsFacts: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let text: String
        package let until: String

        /// Distinguishes texts: what a request to remove the entry has to say.
        package var mark: String { String(SHA256.hex(Array((text + "\n" + until).utf8)).prefix(16)) }

        package init(text: String, until: String) {
            self.text = text
            self.until = until
        }
    }

    package let entries: [Entry]
    package init(entries: [Entry]) { self.entries = entries }
}

package struct SoundsFacts: Sendable, Equatable {
    package struct Sound: Sendable, Equatable {
        package let name: String
        /// The prayers that it is chosen for.
        package let prayers: [String]
        /// It came with a package and cannot be removed.
        package let isShipped: Bool

        package init(name: String, prayers: [String], isShipped: Bool) {
            self.name = name
            self.prayers = prayers
            self.isShipped = isShipped
        }
    }

    package let sounds: [Sound]
    package init(sounds: [Sound]) { self.sounds = sounds }
}

package struct TimetableFacts: Sendable, Equatable {
    package struct Question: Sendable, Equatable {
        /// `clock`, `hours`, `dates` or `year`.
        package let name: String
        package let text: String
        package let answers: [(value: String, text: String)]

        package init(name: String, text: String, answers: [(value: String, text: String)]) {
            self.name = name
            self.text = text
            self.answers = answers
        }

        package static func == (a: Question, b: Question) -> Bool {
            a.name == b.name && a.text == b.text && a.answers.elementsEqual(b.answers, by: ==)
        }
    }

    /// The table in force, and those days of it that are still to come; `nil` if there is none.
    package let current: String?
    /// Sentences about the upload that waits.
    package let findings: [String]
    package let questions: [Question]
    /// An upload has no open question and can be taken.
    package let canBeTaken: Bool
    package let canBeUndone: Bool

    package init(
        current: String?, findings: [String] = [], questions: [Question] = [], canBeTaken: Bool = false,
        canBeUndone: Bool = false
    ) {
        self.current = current
        self.findings = findings
        self.questions = questions
        self.canBeTaken = canBeTaken
        self.canBeUndone = canBeUndone
    }
}

/// `/r/setup`: one question at a time.
package struct SetupFacts: Sendable, Equatable {
    package enum Step: String, Sendable, CaseIterable { case place, method, asr, loudspeaker, volume, done }

    package let step: Step
    /// The possible answers: towns, methods, devices. The first is what adhand would choose.
    package let options: [String]
    /// A device that has just played a tone, and waits for an answer.
    package let device: String?
    /// At the end: today's times.
    package let times: [(prayer: String, time: String)]

    package init(
        step: Step, options: [String] = [], device: String? = nil,
        times: [(prayer: String, time: String)] = []
    ) {
        self.step = step
        self.options = options
        self.device = device
        self.times = times
    }

    package static func == (a: SetupFacts, b: SetupFacts) -> Bool {
        (a.step, a.options, a.device) == (b.step, b.options, b.device)
            && a.times.elementsEqual(b.times, by: ==)
    }
}
