internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Signature
internal import Texts

/// `adhan-fleet sign`: makes an envelope from a file that holds the body.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a change for a fleet. Needs a private key and no network.",
        discussion: """
            The body is TOML for configuration, CSV for timetable, and the JSON of the body for every other kind, such \
            as {"verb":"mute","duration":"2h"} for command. A body that every box would refuse is not signed: this program looks at it as \
            adhand of the same version does, but for what a box alone knows, such as its place and its sounds.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Sign with this private key; with both for a new recovery key.", valueName: "file"),
        completion: .file(extensions: ["pem"]))
    var key: [String]

    @Option(help: ArgumentHelp("The fleet that the change is for.", valueName: "org"))
    var org: String

    @Option(
        help: ArgumentHelp(
            "What changes: \(PlainText.list(FleetKind.allCases.map(\.rawValue))).", valueName: "kind"),
        completion: .list(FleetKind.allCases.map(\.rawValue)))
    var kind: String

    @Option(
        help: ArgumentHelp(
            "The number of the change. Boxes refuse a number that is not above the last one of its kind.",
            valueName: "number"))
    var seq: Int

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Whom it is for: all, boxes:NAME,NAME or groups:NAME,NAME. Default: all.", valueName: "receivers")
    )
    var receivers = "all"

    @Option(
        help: ArgumentHelp(
            "Valid from this time, such as 2027-01-01T00:00:00Z. Default: now.", valueName: "time"))
    var notBefore: String?

    @Option(
        help: ArgumentHelp(
            "Valid until this time, or for this long, such as 720h. Default: 720h; 1h for command.",
            valueName: "time"))
    var expires: String?

    @Argument(help: ArgumentHelp("The file with the body.", valueName: "bodyfile"), completion: .file())
    var bodyFile: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the envelope into this new file.", valueName: "file"), completion: .file())
    var output: String

    private struct Payload<Body: Encodable>: Encodable {
        let v = FleetPayload.version
        let org, kind: String
        let seq: Int
        let receivers: Receivers
        let notBefore, expires: String
        let body: Body

        enum CodingKeys: String, CodingKey {
            case v, org, kind, seq, notBefore, expires, body
            case receivers = "for"
        }
    }

    enum Receivers: Encodable {
        case all
        case named(String, [String])

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .all: try ["all": true].encode(to: encoder)
            case .named(let what, let names): try [what: names].encode(to: encoder)
            }
        }
    }

    private struct Document: Encodable {
        let file, digest: String
        let kind: String
        let seq: Int
        let notBefore, expires: String
        let signedBy: [String]
    }

    func run() throws {
        guard let kind = FleetKind(rawValue: kind) else {
            let near = NearestName.of(kind, among: FleetKind.allCases.map(\.rawValue))
            throw FleetError(
                .usage,
                "\"\(PlainText.visible(kind))\" is no kind\(near.map { "; did you mean \($0)?" } ?? ": see adhan-fleet sign --help")"
            )
        }
        let (keys, body) = try files()
        let pairs = try keyPairs(keys, for: kind)
        let (start, end) = try validity(of: kind)
        let payload = try payload(kind, start, end, body: body)
        do throws(EnvelopeRefusal) {
            let read = try FleetPayload(payload)
            try FleetBody(read.kind, read.body).check(from: read.notBefore)
        } catch {
            throw FleetError(.invalidInput, "nothing is signed: \(error.detail)")
        }
        let message = SignedEnvelope.signedBytes(payload: payload)
        let signatures = pairs.map {
            SignedEnvelope.Signature(keyID: $0.key.id, bytes: $0.pair.sign(message))
        }
        let envelope = SignedEnvelope(payload: payload, signatures: signatures)
        let text = try envelope.encoded() + [UInt8(ascii: "\n")]
        guard text.count <= SignedEnvelope.largestBytes else {
            throw FleetError(
                .invalidInput,
                "nothing is signed: the envelope would have \(text.count) bytes, and boxes take \(SignedEnvelope.largestBytes)"
            )
        }
        do throws(FileError) { try OutputFile.create(text, at: output) } catch {
            throw FleetError(.failed, error.message)
        }
        let document = Document(
            file: output, digest: envelope.digest, kind: kind.rawValue, seq: seq, notBefore: start,
            expires: end,
            signedBy: signatures.map(\.keyID))
        try common.output.show(document) { _ in
            "\"\(output)\" is written: \(kind.rawValue) number \(seq), valid from \(start) until \(end).\n"
        }
    }

    /// The files of the keys and of the body. If the body directly follows the files of `--key`, it is parsed as their last.
    private func files() throws(FleetError) -> (keys: [String], body: String) {
        if let bodyFile { return (key, bodyFile) }
        guard key.count > 1, let last = key.last else {
            throw FleetError(.usage, "the file with the body is missing; see adhan-fleet sign --help")
        }
        return (Array(key.dropLast()), last)
    }

    private func keyPairs(
        _ files: [String], for kind: FleetKind
    ) throws(FleetError) -> [(pair: Ed25519.KeyPair, key: FleetKey)] {
        guard files.count == 1 || files.count == 2 && kind == .keys else {
            throw FleetError(.usage, "\(kind.rawValue) has one --key\(kind == .keys ? ", or two" : "")")
        }
        var pairs: [(pair: Ed25519.KeyPair, key: FleetKey)] = []
        for file in files {
            let pair = try KeyFile.read(file)
            guard let key = FleetKey(bytes: pair.publicKey) else { continue }
            pairs.append((pair, key))
        }
        guard Set(pairs.map(\.key)).count == files.count else {
            throw FleetError(.usage, "both files of --key hold the same key")
        }
        return pairs
    }

    /// The start and the end of validity, kept as texts so that the signature covers exactly what the person typed.
    private func validity(of kind: FleetKind) throws(FleetError) -> (start: String, end: String) {
        let now = Instant(unixSeconds: WallClock.now().unixSeconds.rounded(.down))
        let start = notBefore ?? Self.text(now)
        guard let from = InstantText.parse(start) else {
            throw FleetError(.usage, "--not-before is not a time such as 2027-01-01T00:00:00Z")
        }
        let wanted = expires ?? (kind == .command ? "1h" : "720h")
        if let seconds = DurationText.parse(wanted) { return (start, Self.text(from + seconds)) }
        guard InstantText.parse(wanted) != nil else {
            throw FleetError(
                .usage, "--expires is neither a time such as 2027-01-31T00:00:00Z nor a duration such as 720h"
            )
        }
        return (start, wanted)
    }

    private static func text(_ instant: Instant) -> String {
        String(InstantText.rfc3339(instant, in: .utc).prefix(19)) + "Z"
    }

    private func payload(
        _ kind: FleetKind, _ start: String, _ end: String, body bodyFile: String
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(bodyFile, limit: SignedEnvelope.largestBytes)
        } catch {
            throw FleetError(.failed, error.message)
        }
        let shown = PlainText.visible(bodyFile)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FleetError(.invalidInput, "nothing is signed: \"\(shown)\" is not UTF-8")
        }
        func encode(_ body: some Encodable) throws -> [UInt8] {
            try JSON.encode(
                Payload(
                    org: org, kind: kind.rawValue, seq: seq, receivers: try selector(), notBefore: start,
                    expires: end, body: body))
        }
        switch kind {
        case .configuration: return try encode(["toml": text])
        case .timetable: return try encode(["csv": text, "sha256": SHA256.hex(bytes)])
        default:
            let body: StrictJSON
            do throws(StrictJSONError) { body = try StrictJSON(bytes) } catch {
                throw FleetError(
                    .invalidInput, "nothing is signed: \"\(shown)\" is not valid JSON: \(error.sentence)")
            }
            return try encode(body)
        }
    }

    private func selector() throws(FleetError) -> Receivers {
        if receivers == "all" { return .all }
        let parts = receivers.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, parts[0] == "boxes" || parts[0] == "groups" else {
            throw FleetError(.usage, "--for is all, boxes:NAME,NAME or groups:NAME,NAME")
        }
        return .named(
            parts[0], parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
}
