import PrayerEngine
import PrayerLog

/// The rule of streaks once more, told as a person would apply it to a calendar: a page a day, counted on fingers. It shares no
/// code with what it checks, and is as slow as it likes.
struct SlowStreak {
    var current = 0
    var best = 0
    var freezes = 0
    var frozen: [String] = []

    /// - Parameters:
    ///   - pages: what stands on the page of each day: the words of the export, or "none".
    ///   - lastIsOver: whether the last day has ended.
    init(pages: [(date: String, prayers: [String])], goal: Int, lastIsOver: Bool) {
        var story = ""
        for (index, page) in pages.enumerated() {
            let isFirst = index == 0
            let isLast = index == pages.count - 1
            // Of the first day only what comes after the first entry is known.
            var begun = !isFirst
            var good = 0
            var pardoned = 0
            for word in page.prayers {
                if word != "none" { begun = true }
                switch word {
                case "prayed", "late": good += 1
                case "excused": pardoned += 1
                case "none": if !begun { pardoned += 1 }
                default: break
                }
            }
            if good >= goal {
                story += "K"
            } else if isLast, !lastIsOver {
                story += "?"
            } else if good + pardoned >= goal {
                story += "E"
            } else {
                story += "B"
            }
        }
        // From the beginning again for every day: what is held then, and how long the row is.
        for end in story.indices {
            let part = story[...end]
            let held = Self.held(part)
            let day = pages[story.distance(from: story.startIndex, to: end)].date
            if part.last == "B", Self.held(part.dropLast()).freezes > 0, Self.held(part.dropLast()).row > 0 {
                frozen.append(day)
            }
            best = max(best, held.row)
            (current, freezes) = (held.row, held.freezes)
        }
    }

    private static func held(_ story: Substring) -> (row: Int, freezes: Int) {
        var (row, freezes, kept) = (0, 0, 0)
        for letter in story {
            if letter == "K" {
                row += 1
                kept += 1
                if kept == 7 {
                    kept = 0
                    if freezes < 2 { freezes += 1 }
                }
            }
            if letter == "B" {
                if freezes > 0, row > 0 { freezes -= 1 } else { row = 0 }
            }
        }
        return (row, freezes)
    }
}
