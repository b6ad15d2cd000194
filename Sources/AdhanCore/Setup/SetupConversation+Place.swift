import PrayerEngine

/// Question 1: the place, and the time zone where it needs a word.
extension SetupConversation {
    mutating func askPlace() -> SetupTurn {
        stage = .place
        return ask(
            ["1 of 5  Where is this box? A town, or coordinates such as 40.7282, -73.7949."], "Place",
            draft.proposedPlace?.name)
    }

    mutating func answerPlace(_ text: String) -> SetupTurn {
        if text.isEmpty {
            guard let proposed = draft.proposedPlace else {
                return again("A town's name is needed, in any language, or coordinates.", askPlace())
            }
            return take(proposed)
        }
        switch PlaceAnswer(text, draft.world.gazetteer) {
        case .place(let place): return take(place)
        case .towns(let towns): return askTown(towns)
        case .unknown(let sentence): return again(sentence.capitalizedFirst, askPlace())
        }
    }

    private mutating func askTown(_ towns: [GazetteerPlace]) -> SetupTurn {
        understood()
        stage = .town(towns)
        let lines = towns.enumerated().map { index, town in
            "  \(index + 1)  \(town.described) (\(NumberText.coordinates(town.latitude, town.longitude)))"
        }
        return ask(lines, "Which one? A number, or another name", "1")
    }

    mutating func answerTown(_ text: String, _ towns: [GazetteerPlace]) -> SetupTurn {
        guard let number = text.isEmpty ? 1 : Int(text) else { return answerPlace(text) }
        guard towns.indices.contains(number - 1) else {
            return again("There are the numbers 1 to \(towns.count).", askTown(towns))
        }
        return take(SetupPlace(towns[number - 1]))
    }

    private mutating func take(_ place: SetupPlace) -> SetupTurn {
        understood()
        draft.place = place
        var turn = afterPlace()
        turn.say.insert(place.described + ", time zone \(place.timezone).", at: 0)
        return turn
    }

    /// A box whose clock is in another zone than its place would call at the wrong hour.
    mutating func afterPlace() -> SetupTurn {
        guard given.timezone == nil else { return askMethod() }
        guard let (name, inForce) = draft.otherZone else {
            // The file's zone may be right under another name; without one the system's is right.
            return askMethod()
        }
        return askZone(name, inForce)
    }

    private mutating func askZone(_ name: String, _ inForce: Zone) -> SetupTurn {
        stage = .zone(name)
        let now = draft.world.now
        let clocks = (draft.world.zone(name)).map { zone in
            "  It is now \(Self.clock(now, zone)) in \(name), \(Self.clock(now, inForce)) in \(inForce.name)."
        }
        return ask(
            [
                "This box goes by the time zone \(inForce.name), but the place lies in \(name).",
                clocks, "  (For the whole system: sudo timedatectl set-timezone \(name))",
            ].compactMap(\.self), "Call the adhan by \(name)? y or n", "y")
    }

    mutating func answerZone(_ text: String, _ name: String) -> SetupTurn {
        guard let yes = YesOrNo(text, default: true) else {
            let inForce = draft.otherZone?.inForce ?? draft.world.systemZone
            return again("Please answer y (yes) or n (no).", askZone(name, inForce))
        }
        understood()
        draft.timezone = yes.isYes ? name : nil
        return askMethod()
    }

    static func clock(_ instant: Instant, _ zone: Zone) -> String {
        LocalText.minute(InstantText.rfc3339(instant, in: zone, milliseconds: false))
    }
}

/// `y`, `yes`, `n`, `no`, and Enter for the default.
struct YesOrNo {
    let isYes: Bool

    init?(_ text: String, default isYes: Bool) {
        switch text.lowercased() {
        case "": self.isYes = isYes
        case "y", "yes": self.isYes = true
        case "n", "no": self.isYes = false
        default: return nil
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
