internal import CQrencode
internal import ScreenPlan

/// The QR code for `[donate]`. libqrencode chooses the smallest code that holds the text.
enum DonationCode {
    /// The entry with its code; `nil` without a text, or if no code can be drawn. The settings keep every text short enough.
    static func entry(_ donation: DisplayConfig.Donation) -> StateDocument.DonationEntry? {
        guard let url = donation.url else { return nil }
        let bytes = Array(url.utf8)
        // Level M remains readable when a reflection or a defect of the screen hides a seventh of the code.
        guard
            let code = unsafe bytes.withUnsafeBufferPointer({
                unsafe QRcode_encodeData(Int32($0.count), $0.baseAddress, 0, QR_ECLEVEL_M)
            })
        else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        let modules = (0..<size * size).map { index in
            // The lowest bit is the colour, and the others are the purpose of a module.
            unsafe code.pointee.data[index] & 1 == 1 ? "1" : "0"
        }
        return .init(text: donation.text ?? "", url: url, size: size, modules: modules.joined())
    }
}
