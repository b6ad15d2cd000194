import AdhanCore
import ArgumentParser
import Host
import PrayerEngine

struct Methods: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The calculation methods: angles, offsets, region, source.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let methods = MethodsDocument()
        try global.output.show(methods) { MethodsText.render(methods, $0) }
    }
}

struct Qibla: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The direction of the Ka'bah, and how far it is.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    func run() throws {
        let qibla = QiblaDocument(try calculation.site())
        try global.output.show(qibla) { QiblaText.render(qibla, $0) }
    }
}
