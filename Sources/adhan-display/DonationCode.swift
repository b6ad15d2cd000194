internal import CQrencode
internal import DisplayProgramme

/// The code of `[donate]`. libqrencode finds the smallest one that the text fits in.
enum DonationCode {
    /// `nil` where nothing is to be drawn, or nothing can be: the settings keep a text short enough for every code.
    static func entry(_ donation: DisplayConfig.Donation) -> StateDocument.DonationEntry? {
        guard let url = donation.url else { return nil }
        let bytes = Array(url.utf8)
        // Level M bears a seventh of it being hidden by a reflection or a fault of the screen.
        guard
            let code = unsafe bytes.withUnsafeBufferPointer({
                unsafe QRcode_encodeData(Int32($0.count), $0.baseAddress, 0, QR_ECLEVEL_M)
            })
        else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        let modules = (0..<size * size).map { index in
            // The lowest bit is the colour; the others say what a module is for.
            unsafe code.pointee.data[index] & 1 == 1 ? "1" : "0"
        }
        return .init(text: donation.text ?? "", url: url, size: size, modules: modules.joined())
    }
}
