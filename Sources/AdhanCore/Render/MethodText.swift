import PrayerEngine

/// The method in force, with who chose it where nobody did, for people.
enum MethodText {
    /// `isna, chosen for Queens, New York (United States)`
    static func name(_ how: StatusDocument.Calculation) -> String {
        guard how.methodChosenBy == .place else { return how.method }
        guard let place = how.methodPlace else {
            return how.method == MethodChoice.generic ? "\(how.method), the most widely used one" : how.method
        }
        return "\(how.method), chosen for \(place)"
    }

    /// The whole of it: `mwl, chosen for Oslo (Norway); Asr standard, high latitude one-seventh`
    static func line(_ how: StatusDocument.Calculation) -> String {
        let school = "Asr \(how.asr), high latitude \(how.highLatitude)"
        return name(how) + (how.methodChosenBy == .place ? "; " : ", ") + school
    }

    /// What there is to know about the choice, and what to type for another; `nil` where somebody chose.
    static func advice(_ how: StatusDocument.Calculation, typing command: String = "adhanctl method NAME")
        -> String?
    {
        guard how.methodChosenBy == .place else { return nil }
        let other = "For another: \"\(command)\"."
        if let neighbour = how.methodNeighbour {
            return "\(neighbour.country) is as near, and its method is \(neighbour.method). \(other)"
        }
        guard how.methodPlace == nil, how.method == MethodChoice.generic else { return other }
        return "No town is near, so no country's practice is known. \(other)"
    }
}

extension TimesDocument.Calculation {
    var basics: StatusDocument.Calculation {
        StatusDocument.Calculation(
            method: method, asr: asr, highLatitude: highLatitude, methodChosenBy: methodChosenBy,
            methodPlace: methodPlace, methodNeighbour: methodNeighbour)
    }
}
