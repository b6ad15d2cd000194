/// The phrases that one person reads, by the keys of `person` in the tables of languages.
package enum PersonalPhrase: String, CaseIterable, Sendable {
    case all
    case approximate
    case badgeConsistent = "badge-consistent"
    case badgeDebtPaid = "badge-debt-paid"
    case badgeEarlyBird = "badge-early-bird"
    case badgeFirstPrayer = "badge-first-prayer"
    case badgeFriday = "badge-friday"
    case badgeInTime = "badge-in-time"
    case badgeMonthMaster = "badge-month-master"
    case badgePerfectDay = "badge-perfect-day"
    case badgeSeasonKeeper = "badge-season-keeper"
    case badgeSteadfast = "badge-steadfast"
    case badgeThousand = "badge-thousand"
    case badgeWeekWarrior = "badge-week-warrior"
    case badgeYearKeeper = "badge-year-keeper"
    case best
    case buttonMute = "button-mute"
    case buttonPrayed = "button-prayed"
    case buttonSnooze = "button-snooze"
    case clockNotSet = "clock-not-set"
    case coming
    case countFajr = "count-fajr"
    case countFriday = "count-friday"
    case countInTime = "count-in-time"
    case countKept = "count-kept"
    case countMadeUp = "count-made-up"
    case countPerfect = "count-perfect"
    case doneToday = "done-today"
    case earned
    case endedBefore = "ended-before"
    case endsAt = "ends-at"
    case excused
    case freezeSpent = "freeze-spent"
    case freezes
    case goal
    case halfWithin = "half-within"
    case hours
    case inARow = "in-a-row"
    case isAt = "is-at"
    case late
    case left
    case liesBefore = "lies-before"
    case madeUp = "made-up"
    case markWith = "mark-with"
    case minutes
    case missed
    case moreThanDays = "more-than-days"
    case muted
    case namePrayer = "name-prayer"
    case nextFreeze = "next-freeze"
    case nextMuted = "next-muted"
    case noFriday = "no-friday"
    case noMark = "no-mark"
    case noPrayerNow = "no-prayer-now"
    case notMarked = "not-marked"
    case notYet = "not-yet"
    case nothingLogged = "nothing-logged"
    case nothingPending = "nothing-pending"
    case nothingToRedo = "nothing-to-redo"
    case nothingToUndo = "nothing-to-undo"
    case onTime = "on-time"
    case open
    case prayIn = "pray-in"
    case prayed
    case prayers
    case qibla
    case quarters
    case computed = "reckoned"
    case computedWhy = "reckoned-why"
    case redone
    case seconds
    case since
    case spent
    case stopped
    case stoppedWhy = "stopped-why"
    case timeFor = "time-for"
    case toCome = "to-come"
    case unchanged
    case undone
    case unlogged
    case unmarked
    case unmuted
    case unreadable
    case upcoming
    case when
}
