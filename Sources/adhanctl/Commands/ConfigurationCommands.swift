import AdhanCore
import ArgumentParser
import Host

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes adhand read its configuration again.",
        discussion: "A file with a mistake is refused, and what was in force stays in force.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.daemon.tell("Reload", on: global.output)
    }
}

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validates a configuration file, without adhand.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The file (default: the one that adhand would read).", completion: .configurations)
    var file: String?

    func run() throws {
        let configuration = try LocalConfiguration(file: file)
        let site = try configuration.site()
        let document = CheckDocument(
            file: configuration.source, files: configuration.files, settings: configuration.settings,
            site: site)
        try global.output.show(document) { CheckText.render(document, $0) }
    }
}
