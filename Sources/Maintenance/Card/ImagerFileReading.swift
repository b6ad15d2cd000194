package import BoxCard
import CommandKit
import Glibc
import Host

extension ImagerFile {
    /// Reads the file at a path, with the time zones of this machine.
    package func read(path: String) throws(CommandError) -> ImagerSettings {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.mostBytes)
        } catch {
            // Refuse files that are too large like other invalid texts, without reading them.
            if let size = CardBox.size(of: path), size > Self.mostBytes {
                throw CommandError(Self.tooLarge, file: path)
            }
            throw CommandError(.failed, error.message)
        }
        do throws(ImagerError) {
            return try read(bytes)
        } catch {
            throw CommandError(error, file: path)
        }
    }

    /// Reads a file, with the time zones of this machine.
    func read(_ bytes: [UInt8]) throws(ImagerError) -> ImagerSettings {
        let zones = ZoneFiles(in: .process)
        return try read(bytes) { (try? zones.zone(named: $0)) != nil }
    }
}

extension CardSettings {
    /// Reads `box.txt` at a path.
    package init(path: String) throws(CommandError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: CardNames.mostBytes(Self.fileName))
        } catch {
            throw CommandError(.failed, error.message)
        }
        do throws(CardRefusal) {
            let text = CardText.plain(bytes)
            try CardText.checkLines(text)
            try self.init(text)
        } catch {
            throw CommandError(.invalidInput, "\(path): \(error.lines.joined(separator: "; "))")
        }
    }
}
