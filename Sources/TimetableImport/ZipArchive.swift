internal import CZlib
import Times

/// Extracts files from a zip archive, with limits on every size, because archives come from strangers.
enum ZipArchive {
    static let mostEntries = 400
    static let mostBytes = 24 << 20
    /// The highest compression ratio that is accepted. The text of a timetable shrinks to about a tenth.
    private static let highestRatio = 100

    static func isZip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// The files with a name that a timetable may have, in the archive's order.
    static func files(_ archive: ImportFile) throws(ImportRefusal) -> [ImportFile] {
        let reader = Reader(archive)
        let directory = try reader.directory()
        var files: [ImportFile] = []
        var total = 0
        var offset = directory.offset
        var names: [String] = []
        for _ in 0..<directory.count {
            let entry = try reader.entry(at: &offset)
            names.append(entry.name)
            guard entry.isWanted else { continue }
            total += entry.size
            guard total <= mostBytes else {
                throw reader.refusal("unpacked it is larger than \(mostBytes >> 20) MB; no timetable is")
            }
            guard entry.size <= max(4096, entry.packed * highestRatio) else {
                throw reader.refusal(
                    "\"\(TimetableError.excerpt(entry.name))\" in it unpacks to more than \(highestRatio) times its size; that is not a timetable"
                )
            }
            files.append(ImportFile(name: entry.name, bytes: try reader.content(of: entry)))
        }
        guard !files.isEmpty else {
            throw ForeignFile.refusal(ofArchive: names, file: archive.name)
                ?? reader.refusal("there is no CSV, TSV, text, JSON or JavaScript file in it")
        }
        return files
    }

    struct Entry {
        let name: String
        let isStored: Bool
        let packed: Int
        let size: Int
        let offset: Int

        var isWanted: Bool {
            let base = name.split(separator: "/").last ?? ""
            return !name.hasSuffix("/") && !base.hasPrefix(".") && !name.hasPrefix("__MACOSX/")
                && FolderEntry.isTimetable(String(base))
        }
    }

    private struct Reader {
        let archive: ImportFile
        private var bytes: [UInt8] { archive.bytes }

        init(_ archive: ImportFile) { self.archive = archive }

        func refusal(_ reason: String) -> ImportRefusal { ImportRefusal(reason, file: archive.name) }
        private var damaged: ImportRefusal {
            refusal("the zip archive is damaged; download or pack it again")
        }

        private func number(_ offset: Int, _ width: Int) throws(ImportRefusal) -> Int {
            guard offset >= 0, offset + width <= bytes.count else { throw damaged }
            return (0..<width).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
        }

        /// Finds the end of central directory record (APPNOTE 4.3.16), which is at the end, before a comment of 64 KB at most.
        func directory() throws(ImportRefusal) -> (count: Int, offset: Int) {
            let first = max(0, bytes.count - 65_557)
            var position = bytes.count - 22
            while position >= first {
                if try number(position, 4) == 0x0605_4B50 {
                    let count = try number(position + 10, 2)
                    guard count <= ZipArchive.mostEntries else {
                        throw refusal("there are \(count) files in it; \(ZipArchive.mostEntries) are allowed")
                    }
                    return (count, try number(position + 16, 4))
                }
                position -= 1
            }
            throw damaged
        }

        /// Reads a file header of the central directory (APPNOTE 4.3.12).
        func entry(at offset: inout Int) throws(ImportRefusal) -> Entry {
            guard try number(offset, 4) == 0x0201_4B50 else { throw damaged }
            let (flags, method) = (try number(offset + 8, 2), try number(offset + 10, 2))
            let (packed, size) = (try number(offset + 20, 4), try number(offset + 24, 4))
            let lengths = [
                try number(offset + 28, 2), try number(offset + 30, 2), try number(offset + 32, 2),
            ]
            let start = offset + 46
            guard start + lengths[0] <= bytes.count else { throw damaged }
            let name = String(decoding: bytes[start..<start + lengths[0]], as: UTF8.self)
            let entry = Entry(
                name: name, isStored: method == 0, packed: packed, size: size,
                offset: try number(offset + 42, 4))
            offset = start + lengths.reduce(0, +)
            guard !entry.isWanted || flags & 1 == 0 else { throw refusal("it is locked with a password") }
            guard !entry.isWanted || method == 0 || method == 8 else {
                throw refusal(
                    "\"\(TimetableError.excerpt(name))\" in it is packed in a way that is not known here")
            }
            return entry
        }

        func content(of entry: Entry) throws(ImportRefusal) -> [UInt8] {
            guard try number(entry.offset, 4) == 0x0403_4B50 else { throw damaged }
            let start =
                try entry.offset + 30 + number(entry.offset + 26, 2) + number(entry.offset + 28, 2)
            guard start + entry.packed <= bytes.count else { throw damaged }
            let packed = bytes[start..<start + entry.packed]
            if entry.isStored {
                guard entry.size == entry.packed else { throw damaged }
                return Array(packed)
            }
            guard let content = inflate(Array(packed), size: entry.size) else { throw damaged }
            return content
        }

        /// Decompresses a stream; `nil` unless it is whole and has exactly the stated length.
        private func inflate(_ packed: [UInt8], size: Int) -> [UInt8]? {
            var packed = packed
            var content = [UInt8](repeating: 0, count: size + 1)
            let written = unsafe packed.withUnsafeMutableBufferPointer { input -> Int? in
                unsafe content.withUnsafeMutableBufferPointer { output -> Int? in
                    var stream = unsafe z_stream()
                    guard unsafe adhand_inflate_begin(&stream) == Z_OK else { return nil }
                    defer { unsafe inflateEnd(&stream) }
                    unsafe stream.next_in = input.baseAddress
                    unsafe stream.avail_in = UInt32(input.count)
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    guard unsafe CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
                    return unsafe Int(stream.total_out)
                }
            }
            guard written == size else { return nil }
            content.removeLast()
            return content
        }
    }
}

/// The files of a folder that are read.
package enum FolderEntry {
    package static func isTimetable(_ name: String) -> Bool {
        let ending = name.lowercased().split(separator: ".").last.map(String.init) ?? ""
        return !name.hasPrefix(".") && ["csv", "tsv", "txt", "json", "js"].contains(ending)
    }
}
