import PrayerEngine

/// A command's changes of the log, prayer by prayer.
package struct LogChange: Equatable, Sendable {
    /// The numbers are on disk.
    package enum Kind: Int, Sendable {
        case marked = 1
        case imported
        /// A mark was removed.
        case undone
    }

    package struct Slot: Equatable, Sendable {
        package let slot: PrayerSlot
        package let before: Mark?
        package let after: Mark?

        package init(_ slot: PrayerSlot, before: Mark?, after: Mark?) {
            self.slot = slot
            self.before = before
            self.after = after
        }
    }

    package let kind: Kind
    /// The slots that differ from before; empty when nothing was changed.
    package let slots: [Slot]
    /// Entries that stayed as they were.
    package let kept: [Mark]

    package init(kind: Kind, slots: [Slot], kept: [Mark]) {
        self.kind = kind
        self.slots = slots
        self.kept = kept
    }
}

extension Mark {
    /// Decides whether an existing entry stays when another one would replace it: a person's entry is replaced only by a more
    /// precise one.
    package enum Keeping: Sendable {
        /// An entry by command. `isPlain`: the command does not say how or when the prayer was prayed.
        case command(isPlain: Bool, namesInstant: Bool)
        /// An excuse of whole days, for prayers that were not prayed.
        case wholeDays
        case press
        case file
    }

    package func stays(_ keeping: Keeping, for new: Mark) -> Bool {
        switch keeping {
        case .command(let isPlain, let namesInstant):
            // A prayer that already has the same status keeps its instant.
            !namesInstant && (status == new.status || isPlain && isPrayed)
        case .wholeDays: status == .excused || isPrayed
        case .press: isPrayed
        case .file: status == new.status && new.at == nil
        }
    }

    private var isPrayed: Bool { [.prayed, .late, .madeUp].contains(status) }
}
