import ArgumentParser
import CommandKit
import Console
import Host
import Maintenance
import PrayerEngine
import Protocol

struct Methods: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "methods",
        abstract: "The calculation methods: angles, offsets, region, source.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let methods = MethodsDocument()
        try global.output.show(methods) { MethodsText.render(methods, $0) }
    }
}

struct QiblaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qibla",
        abstract: "The direction of the Ka'bah, and how far it is.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    func run() throws {
        // Coordinates need no configuration, and so no adhand.
        let place = calculation.isPlaced ? nil : calculation.statePlace(nil, global.daemon)
        let site = try calculation.configuration(place).site(calculation.options, city: calculation.city)
        let qibla = QiblaDocument(site)
        try global.output.show(qibla) { QiblaText.render(qibla, $0) }
    }
}
