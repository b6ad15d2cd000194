@testable import TimetableImport

/// Archives with stored files, and with claims that are not true.
enum Zip {
    static func archive(_ files: [ImportFile], claimedSize: Int? = nil, count: Int? = nil) -> [UInt8] {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        for file in files {
            let (name, offset) = (Array(file.name.utf8), bytes.count)
            let size = claimedSize ?? file.bytes.count
            let shared =
                number(20, 2) + number(0, 2) + number(claimedSize == nil ? 0 : 8, 2) + number(0, 8)
                + number(file.bytes.count, 4) + number(size, 4) + number(name.count, 2) + number(0, 2)
            bytes += number(0x0403_4B50, 4) + shared + name + file.bytes
            directory +=
                number(0x0201_4B50, 4) + number(20, 2) + shared + number(0, 10) + number(offset, 4) + name
        }
        let total = count ?? files.count
        return bytes + directory + number(0x0605_4B50, 4) + number(0, 4) + number(total, 2) + number(total, 2)
            + number(directory.count, 4) + number(bytes.count, 4) + number(0, 2)
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
