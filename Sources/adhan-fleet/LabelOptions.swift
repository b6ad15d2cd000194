internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Glibc
internal import Host
internal import Texts

/// Options of the commands that print labels for the boxes of a fleet.
struct LabelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write labels (SVG) for the boxes that are in or wait; print them at their full size.",
            valueName: "file"), completion: .file(extensions: ["svg"]))
    var labels: String?

    @Option(
        help: ArgumentHelp(
            "The server as phones reach it, for the labels. Default: the host of the broker.",
            valueName: "host"))
    var server: String?

    /// - Parameter brokers: the brokers' addresses as the boxes reach them.
    /// - Returns: the number of labels; `nil` where none were requested.
    func write(_ desk: EnrolDesk, org: String, brokers: [String]) throws(FleetError) -> Int? {
        guard let labels else {
            if server != nil { throw FleetError(.usage, "--server is for --labels; name its file, too") }
            return nil
        }
        let host = try reached(brokers)
        let boxes = desk.waiting.keys.sorted() + desk.members.keys.sorted()
        guard !boxes.isEmpty else { return 0 }
        guard let picture = LabelSheet.svg(boxes, org: org, server: host) else {
            throw FleetError(.usage, "the name of the server is too long for a label: --server names another")
        }
        // The file is replaced, because labels are printed again whenever boxes have joined.
        do throws(FileError) { try OutputFile.write(Array(picture.utf8), to: labels) } catch {
            throw FleetError(.failed, error.message)
        }
        // Labels hold no secret, and another user may print them.
        unsafe chmod(labels, 0o644)
        return boxes.count
    }

    private func reached(_ brokers: [String]) throws(FleetError) -> String {
        if let server {
            guard let known = LabelSheet.server(server) else {
                throw FleetError(
                    .usage, "\"\(PlainText.visible(server))\" is no server such as fleet.example.org")
            }
            return known
        }
        guard let known = brokers.first.flatMap({ BrokerAddress($0) }).flatMap(LabelSheet.server(of:)) else {
            throw FleetError(
                .usage,
                "the broker of fleet.toml is this machine alone, where no phone would find it; name the server as phones reach it: --server fleet.example.org"
            )
        }
        return known
    }

    /// A line for people about the labels; empty where none were requested.
    func line(_ count: Int?) -> String {
        guard let labels, let count else { return "" }
        return count == 0
            ? "No label is written, as no box is known yet: a box has its name from its first start. Once it has asked for its place: \"adhan-fleet enrol list --labels FILE\"\n"
            : "\"\(labels)\" has \(count == 1 ? "a label" : "\(count) labels"): print it at its full size.\n"
    }
}
