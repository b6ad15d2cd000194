internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import Glibc
internal import Host
internal import Texts

/// `adhan-fleet keys --out FOLDER`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make the signing key and the recovery key of a fleet, on a machine without network.",
        discussion: """
            Writes signing.pem and recovery.pem, readable by you alone, and prints the public halves. Existing files \
            stay as they are. Keep the recovery key in a safe: it alone can replace a signing key that was stolen.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "Write the keys into this folder, which is made if it is missing.", valueName: "folder"),
        completion: .directory)
    var out: String

    private struct Document: Encodable {
        let signing, recovery: String
        let files: [String]
    }

    func run() throws {
        let files = ["\(out)/signing.pem", "\(out)/recovery.pem"]
        if unsafe mkdir(out, 0o700) != 0, errno != EEXIST {
            throw FleetError(.failed, FileError("create", out, code: errno).message)
        }
        let signing = try KeyFile.create(files[0])
        let recovery: FleetKey
        do throws(FleetError) { recovery = try KeyFile.create(files[1]) } catch {
            // One key of a pair is useless, and its file would make the next attempt fail.
            unsafe unlink(files[0])
            throw error
        }
        let document = Document(signing: signing.text, recovery: recovery.text, files: files)
        try common.output.show(document) { _ in
            """
            "\(files[0])" and "\(files[1])" are written. The public keys are:
              signing-key = "\(signing.text)"
              recovery-key = "\(recovery.text)"

            """
        }
    }
}
