package import Times

extension KeptConfiguration {
    /// The most bytes, far beyond the texts of a configuration and its drop-ins.
    private static let mostBytes = 16 << 20

    /// Reads the kept configuration of a state directory; `nil` where there is none.
    package static func read(in directory: String) throws(FileError) -> KeptConfiguration? {
        let path = "\(directory)/\(fileName)"
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: mostBytes, followsLink: false)
        } catch  where error.isMissing {
            return nil
        }
        guard let kept = try? KeptConfiguration(fileBytes: bytes) else {
            throw FileError("read", path, reason: "it is damaged")
        }
        return kept
    }
}
