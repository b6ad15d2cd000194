internal import Host
internal import PhoneRules
internal import WebServer

/// `phones.json`: the paired phones, each with the SHA-256 of its token. Only this user can read it.
struct PhonesFile: Sendable {
    private static let mostBytes = 1 << 20
    private let path: String

    init(folder: String) throws(ServerError) {
        do throws(FileError) {
            if !Directories.isDirectory(folder) { try Directories.make(folder, mode: 0o700) }
        } catch {
            throw ServerError(message: error.message)
        }
        path = folder + "/phones.json"
    }

    /// - Throws: if the file exists and cannot be used. The list of phones is never guessed, and nothing is overwritten.
    func read() throws(ServerError) -> PhoneList {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.mostBytes, followsLink: false)
        } catch {
            if error.isMissing { return PhoneList() }
            throw ServerError(message: error.message)
        }
        do {
            return try PhoneList(json: bytes)
        } catch {
            throw ServerError(
                message: "\"\(path)\" is damaged; move it away, and pair the phones again")
        }
    }

    func write(_ list: PhoneList) throws(FileError) {
        guard let bytes = try? list.json else {
            throw FileError("write", path, reason: "it has no form as JSON")
        }
        try AtomicFile.replace(path, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
    }
}
