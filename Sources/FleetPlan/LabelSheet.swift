import QR
package import Texts

/// Labels for boxes, as one picture that a browser prints on A4. Each has the name of a box, and a code that leads a phone to
/// its row on ``EnrolPage``.
package enum LabelSheet {
    /// A sheet of 24 labels of 70 by 37 mm, a common format.
    private static let (columns, rows) = (3, 8)
    private static let (sheetWidth, sheetHeight) = (210, 297)
    private static let (labelWidth, labelHeight) = (70, 37)
    private static let codeMillimetres = 30.0
    /// The most characters of a line beside the code.
    private static let lineCharacters = 16

    /// The address in a label's code. The part after `#` does not leave the phone's browser.
    package static func address(of box: String, server: String) -> String {
        "https://\(server)/enrol#\(box)"
    }

    /// The server of a broker, if phones can reach it.
    package static func server(of broker: BrokerAddress) -> String? {
        broker.isLoopback ? nil : address(broker.host, nil)
    }

    /// - Parameter text: the text `HOST` or `HOST:PORT` as typed.
    package static func server(_ text: String) -> String? {
        AddressText.hostAndPort(text).map { address($0.host, $0.port) }
    }

    private static func address(_ host: String, _ port: Int?) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// - Returns: `nil` if the server's name is too long for a code.
    package static func svg(_ boxes: [String], org: String, server: String) -> String? {
        let perSheet = columns * rows
        var labels = ""
        for (index, box) in boxes.enumerated() {
            guard let code = QRCode(address(of: box, server: server)) else { return nil }
            let (sheet, place) = (index / perSheet, index % perSheet)
            labels += label(
                box, org, code, x: place % columns * labelWidth,
                y: sheet * sheetHeight + place / columns * labelHeight)
        }
        let height = max(1, (boxes.count + perSheet - 1) / perSheet) * sheetHeight
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(sheetWidth)mm\" height=\"\(height)mm\" viewBox=\"0 0 \(sheetWidth) \(height)\">\n"
            + "<rect width=\"\(sheetWidth)\" height=\"\(height)\" fill=\"#fff\"/>\n\(labels)</svg>\n"
    }

    private static func label(_ box: String, _ org: String, _ code: QRCode, x: Int, y: Int) -> String {
        var text = "<text x=\"35\" y=\"12\" font-size=\"3\">\(OverviewPage.escape(org))</text>"
        var (rest, baseline) = (box[...], 18)
        while !rest.isEmpty {
            text +=
                "<text x=\"35\" y=\"\(baseline)\" font-size=\"3.4\">\(OverviewPage.escape(String(rest.prefix(lineCharacters))))</text>"
            rest = rest.dropFirst(lineCharacters)
            baseline += 5
        }
        return "<g transform=\"translate(\(x) \(y))\" font-family=\"monospace\">"
            + "<path transform=\"translate(3 3) scale(\(codeMillimetres / Double(code.side)))\" shape-rendering=\"crispEdges\" d=\"\(code.svgPath)\"/>"
            + "\(text)</g>\n"
    }
}
