import Glibc
import Host
import PictureImport
import Protocol
import Texts

/// The accepted pictures, each named by the digest of its bytes, so that a picture sent twice is one file.
struct PictureFolder {
    private let path: String

    /// The most pictures: at 4 MB each, 400 MB of the disk.
    private static let most = 100

    init(_ path: String) {
        self.path = path
    }

    func keep(_ picture: PictureImport) throws(IntakeError) -> IntakeReply {
        let name = SHA256.hex(picture.bytes)
        var isFull = false
        do throws(FileError) {
            let names = try Directories.names(in: path).filter(SHA256.isHex)
            isFull = names.count >= Self.most && !names.contains(name)
            if !isFull {
                try AtomicFile.write(picture.bytes, to: "\(path)/\(name)", like: "\(path)/\(name)")
            }
        } catch {
            throw IntakeError(error)
        }
        guard !isFull else {
            let message = "there are \(Self.most) pictures already; remove an announcement with one first"
            throw IntakeError(IntakeReply(message, error: .refused))
        }
        var reply = IntakeReply("took a picture of \(picture.width) × \(picture.height) pixels")
        reply.picture = name
        return reply
    }

    func find(_ name: String?) throws(IntakeError) -> IntakeReply {
        let name = try Self.name(name)
        guard unsafe access("\(path)/\(name)", F_OK) == 0 else { throw Self.missing }
        var reply = IntakeReply("the picture is there")
        reply.picture = name
        return reply
    }

    func remove(_ name: String?) throws(IntakeError) -> IntakeReply {
        let name = try Self.name(name)
        guard unsafe unlink("\(path)/\(name)") == 0 else {
            guard errno == ENOENT else { throw IntakeError(FileError("remove", path, code: errno)) }
            throw Self.missing
        }
        return IntakeReply("removed the picture")
    }

    private static let missing = IntakeError(
        IntakeReply("there is no such picture any more; send it again", error: .nothing))

    private static func name(_ text: String?) throws(IntakeError) -> String {
        guard let text, SHA256.isHex(text) else {
            throw IntakeError(IntakeReply("a picture is named by 64 hexadecimal digits", error: .request))
        }
        return text
    }
}
