/// Why a picture is refused. Programs read the code; the message is for people.
package struct PictureRefusal: Error, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        case tooLarge, notAPicture, unsupported, tooManyPixels, damaged, cut, turned
    }

    package let code: Code
    package let message: String

    static let notAPicture = PictureRefusal(
        code: .notAPicture, message: "this is neither a JPEG nor a PNG; save the picture as one of them")
    static let cut = PictureRefusal(
        code: .cut, message: "the picture ends before its end; send it again, or save it again")

    static func tooLarge(_ bytes: Int) -> PictureRefusal {
        PictureRefusal(
            code: .tooLarge,
            message:
                "the picture has \(bytes) bytes, and at most \(PictureImport.mostBytes) are taken; save it smaller"
        )
    }

    static func tooManyPixels(_ width: Int, _ height: Int) -> PictureRefusal {
        PictureRefusal(
            code: .tooManyPixels,
            message:
                "the picture has \(width) × \(height) pixels, and a side has at most \(PictureImport.longestSide); save it smaller"
        )
    }

    static func unsupported(_ what: String) -> PictureRefusal {
        PictureRefusal(
            code: .unsupported, message: "this picture \(what); save it again as an ordinary JPEG or PNG")
    }

    static func damaged(_ what: String) -> PictureRefusal {
        PictureRefusal(code: .damaged, message: "the picture is damaged (\(what)); save it again")
    }

    /// The picture is turned by its metadata. Metadata is dropped, so the picture would appear on its side.
    static let turned = PictureRefusal(
        code: .turned,
        message:
            "the picture lies on its side, and only a note in it says so; turn it in a program for pictures, save it, and send that"
    )
}
