/// Why the box uses a kept zone: the zone's files cannot be read. Never the configuration's fault.
package struct ZoneProblem: Sendable, Equatable {
    /// The substitute for the zone.
    package enum Substitute: Sendable, Equatable {
        /// The rules of the last good reading.
        case kept(name: String)
        /// The zone of the nearest place whose file can be read.
        case nearby(name: String)
        /// Hours from UTC by the place's longitude.
        case longitude(name: String)
        /// The place of the box is unknown.
        case universal
    }

    /// The problem of a zone that cannot be read, and why.
    package let reason: String
    package let substitute: Substitute
    /// The command with which root repairs it.
    package let fix: String

    package init(reason: String, substitute: Substitute, fix: String) {
        self.reason = reason
        self.substitute = substitute
        self.fix = fix
    }

    package var message: String {
        let instead =
            switch substitute {
            case .kept(let name): "adhand goes on by the rules that it has kept of \(name)"
            case .nearby(let name):
                "adhand goes by \(name), the nearest zone that can be read; dates and published times may be wrong"
            case .longitude(let name):
                "adhand goes by \(name), the hour of the place's longitude; dates and published times may be an hour or more wrong"
            case .universal: "adhand goes by UTC"
            }
        return "the time zone cannot be read: \(reason); \(instead)"
    }
}

/// The loss of the machine's time zone that a person confirmed by a reload: it is UTC from then on.
package struct ZoneLoss: Sendable, Equatable {
    /// The file that named the zone, and the zone that it named.
    package let file: String
    package let zone: String

    package init(file: String, zone: String) {
        (self.file, self.zone) = (file, zone)
    }

    package var message: String {
        "\"\(file)\" is gone, and with it the time zone \(zone): adhand goes by UTC. If that is not meant, run "
            + "\"sudo timedatectl set-timezone \(zone)\""
    }
}
