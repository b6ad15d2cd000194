package import Places
import PrayerEngine
import Settings
import Texts

/// Question 1: the place, and the time zone where it needs a word.
extension SetupConversation {
    mutating func askPlace(_ notices: [String] = []) -> SetupTurn {
        stage = .place
        let receiver =
            draft.inputs.hasReceiver
            ? ["gpsd runs on this machine: type gps to ask it for the position."] : []
        return ask(
            notices + ["1 of 5  Where is this box? A town, or coordinates such as 40.7282, -73.7949."]
                + receiver,
            "Place",
            draft.proposedPlace?.name)
    }

    mutating func answerPlace(_ text: String) -> SetupTurn {
        if text.isEmpty {
            guard let proposed = draft.proposedPlace else {
                return again("A town's name is needed, in any language, or coordinates.", askPlace())
            }
            return adopt(proposed)
        }
        if text.lowercased() == "gps", draft.inputs.hasReceiver {
            return SetupTurn(["  Asking gpsd …"], .locate)
        }
        switch PlaceAnswer(text, draft.inputs.gazetteer) {
        case .place(let place): return adopt(place)
        case .point(let place): return askName(place)
        case .towns(let towns): return askTown(towns)
        case .unknown(let sentence): return again(sentence.capitalizedFirst.ended, askPlace())
        }
    }

    /// Continues after ``SetupStep/locate``.
    package mutating func located(_ position: ReceiverPosition) -> SetupTurn {
        switch position {
        case .point(let latitude, let longitude):
            let location = ConfiguredLocation(latitude: latitude, longitude: longitude)
            guard let place = SetupPlace(location, draft.inputs.gazetteer) else {
                return keepQuestion(askPlace())
            }
            return keepQuestion(askName(place))
        case .unknown(let reason): return keepQuestion(again(reason.capitalizedFirst.ended, askPlace()))
        }
    }

    private mutating func askTown(_ towns: [GazetteerPlace]) -> SetupTurn {
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
        return adopt(SetupPlace(towns[number - 1]))
    }

    private mutating func askName(_ place: SetupPlace) -> SetupTurn {
        stage = .naming(place)
        let point = NumberText.coordinates(place.location.latitude, place.location.longitude)
        return ask(["  \(point), \(place.nearestTown)."], "What is this place called?", place.name)
    }

    mutating func answerName(_ text: String, _ place: SetupPlace) -> SetupTurn {
        guard !text.isEmpty else { return adopt(place) }
        guard TextKind.label.fault(in: text) == nil else {
            return again("Please type \(TextKind.label.allowed).", askName(place))
        }
        return adopt(place.named(text))
    }

    private mutating func adopt(_ place: SetupPlace) -> SetupTurn {
        draft.move(to: place)
        // The earlier decision was for another place.
        (draft.timetableKeeping, draft.exceptionsKeeping) = (given.timetableKeeping, given.exceptionsKeeping)
        var turn = afterPlace()
        turn.lines.insert(place.described + ", time zone \(place.timezone).", at: 0)
        return turn
    }

    /// A box whose clock is in another zone than its place would call at the wrong hour.
    mutating func afterPlace() -> SetupTurn {
        guard given.timezone == nil else { return askMethod() }
        if let place = draft.place, let second = place.secondClock {
            return askClock([place.timezone, second.timezone], second)
        }
        guard let (name, inForce) = draft.otherZone else {
            // The file's zone may be the right one under another name. Without a zone in the file, the system's is right.
            return askMethod()
        }
        return askZone(name, inForce)
    }

    private mutating func askZone(_ name: String, _ inForce: Zone) -> SetupTurn {
        stage = .zone(name)
        let now = draft.inputs.now
        let clocks = (draft.inputs.zone(name)).map { zone in
            "  It is now \(Self.clock(now, zone)) in \(name), \(Self.clock(now, inForce)) in \(inForce.name)."
        }
        return ask(
            [
                "This box uses the time zone \(inForce.name), but the place lies in \(name).",
                clocks, "  (For the whole system: sudo timedatectl set-timezone \(name))",
            ].compactMap(\.self), "Call the adhan by \(name)? y or n", "y")
    }

    mutating func answerZone(_ text: String, _ name: String) -> SetupTurn {
        guard let yes = YesOrNo(text, default: true) else {
            let inForce = draft.otherZone?.inForce ?? draft.inputs.systemZone
            return again("Please answer y (yes) or n (no).", askZone(name, inForce))
        }
        draft.timezone = yes.isYes ? name : nil
        return askMethod()
    }

    private mutating func askClock(_ zones: [String], _ second: SecondClock) -> SetupTurn {
        stage = .clock(zones)
        let now = draft.inputs.now
        let lines = zones.enumerated().map { index, name in
            "  \(index + 1)  \(name)" + (draft.inputs.zone(name).map { ", now \(Self.clock(now, $0))" } ?? "")
        }
        return ask(
            ["Two clocks: \(second.note)."] + lines, "By which one? A number",
            "\((zones.firstIndex(of: draft.inForceZone.name) ?? 0) + 1)")
    }

    mutating func answerClock(_ text: String, _ zones: [String]) -> SetupTurn {
        let usual = (zones.firstIndex(of: draft.inForceZone.name) ?? 0) + 1
        let number = text.isEmpty ? usual : Int(text) ?? zones.firstIndex(of: text).map { $0 + 1 } ?? 0
        guard zones.indices.contains(number - 1) else {
            return again("Please answer 1 or 2.", question(draft.place?.secondClock, zones))
        }
        draft.timezone = zones[number - 1]
        return askMethod()
    }

    private mutating func question(_ second: SecondClock?, _ zones: [String]) -> SetupTurn {
        second.map { askClock(zones, $0) } ?? askMethod()
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
    /// The text with a full stop, unless it is a question.
    package var ended: String { hasSuffix("?") ? self : self + "." }
}
