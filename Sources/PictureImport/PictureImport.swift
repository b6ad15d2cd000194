/// Turns a person's file into a picture for the screen: checks its structure, and writes a new file of the parts that a
/// browser needs to draw it. Everything else (places, names, thumbnails, texts, other files after its end) is
/// dropped. This module does not decode pictures.
package struct PictureImport: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case jpeg = "image/jpeg"
        case png = "image/png"
    }

    package let kind: Kind
    package let width: Int
    package let height: Int
    /// The new file.
    package let bytes: [UInt8]

    package static let mostBytes = 4 << 20
    /// The longest side in pixels. A browser needs 64 MB for the largest picture.
    package static let longestSide = 4096

    package static func read(_ bytes: [UInt8]) throws(PictureRefusal) -> PictureImport {
        guard bytes.count <= mostBytes else { throw .tooLarge(bytes.count) }
        if bytes.starts(with: PNGFile.signature) { return try PNGFile(bytes).copy() }
        if bytes.starts(with: JPEGFile.signature) { return try JPEGFile(bytes).copy() }
        throw .notAPicture
    }

    static func check(_ width: Int, _ height: Int) throws(PictureRefusal) {
        guard width > 0, height > 0 else { throw .damaged("it has no size") }
        guard max(width, height) <= longestSide else { throw .tooManyPixels(width, height) }
    }
}
