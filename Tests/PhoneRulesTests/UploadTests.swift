import PhoneRules
import Protocol
import SeededRandom
import Testing

@Suite("Uploads")
struct UploadTests {
    static let boundary = "----WebKitFormBoundaryX"

    static func part(_ head: String, _ body: [UInt8]) -> [UInt8] {
        Array("--\(boundary)\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + body + [0x0D, 0x0A]
    }

    static let end = Array("--\(boundary)--\r\n".utf8)

    /// Fields and the file with its name, whatever parts the bytes come in.
    struct Result: Equatable {
        var fields: [Form.Field] = []
        var name: String?
        var file: [UInt8] = []
        var ended = false
    }

    static func read(_ body: [UInt8], in sizes: () -> Int = { 1 << 20 }, most: Int = 1000) throws(Upload
        .UnreadableError)
        -> Result
    {
        var upload = Upload(boundary: boundary, mostBytes: most)
        var result = Result()
        var rest = body[...]
        while !rest.isEmpty {
            let part = rest.prefix(max(1, sizes()))
            rest = rest.dropFirst(part.count)
            for event in try upload.add(part) {
                switch event {
                case .field(let field): result.fields.append(field)
                case .file(_, let name): result.name = name
                case .bytes(let bytes): result.file += bytes
                case .endOfFile: result.ended = true
                }
            }
        }
        try upload.finish()
        return result
    }

    /// A file in which ends of lines and beginnings of boundaries stand.
    static let file = Array("\r\n--\(boundary.dropLast())\r\n\r\n-".utf8) + [0, 255, 0x0D, 0x0A, 0x0D]
    static let whole =
        part(#"name="prayer""#, Array("fajr".utf8))
        + part("name=\"file\"; filename=\"../../etc/passwd\"\r\nContent-Type: audio/mpeg", file)
        + part(#"name="name""#, Array("our adhan".utf8)) + end

    static let expected = Result(
        fields: [Form.Field("prayer", "fajr"), Form.Field("name", "our adhan")], name: "../../etc/passwd",
        file: file,
        ended: true)

    @Test("A file and its fields, in one piece and in every other")
    func pieces() throws {
        #expect(try Self.read(Self.whole) == Self.expected)
        for size in 1...80 { #expect(try Self.read(Self.whole, in: { size }) == Self.expected) }
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            #expect(
                try Self.read(Self.whole, in: { Int.random(in: 1...60, using: &random) }) == Self.expected)
        }
    }

    @Test("An empty file, and no file")
    func empty() throws {
        let empty = Self.part(#"name="file"; filename="""#, []) + Self.end
        #expect(try Self.read(empty) == Result(name: "", ended: true))
        #expect(try Self.read(Self.end) == Result())
    }

    @Test("Bodies that are cut off, too large or of another form are refused")
    func refused() {
        let file = Self.part(#"name="file"; filename="a""#, [1])
        let cases: [([UInt8], Upload.UnreadableError)] = [
            (file, .cutOff), (file + file + Self.end, .files), ([], .cutOff),
            (
                Self.part(#"name="file"; filename="a""#, [UInt8](repeating: 7, count: 1001)) + Self.end,
                .tooLarge
            ),
            (Self.part("name=\"\(String(repeating: "n", count: 5000))\"", []) + Self.end, .tooLong),
            (Self.part(#"name="a""#, [UInt8](repeating: 65, count: 4097)) + Self.end, .tooLong),
            (Self.part(#"name="a""#, [0xFF]) + Self.end, .text), (Self.part("name=a", []) + Self.end, .shape),
            (Self.part(#"name="a"; name="b""#, []) + Self.end, .shape),
            (Self.part(#"filename="b""#, []) + Self.end, .shape),
            (Array("--\(Self.boundary)x\r\n".utf8), .shape),
            ([UInt8](repeating: 65, count: 5000), .tooLong),
            ((0..<17).flatMap { Self.part("name=\"f\($0)\"", []) } + Self.end, .tooLong),
        ]
        for (body, reason) in cases { #expect(throws: reason) { try Self.read(body) } }
    }

    @Test("20,000 damaged uploads are read or refused, and no file is larger than what came")
    func damaged() {
        var random = SplitMix64(seed: 2)
        let marks = Array("\r\n-\":;=".utf8) + [0, 255]
        var read = 0
        for _ in 0..<20_000 {
            var body = Self.whole
            for _ in 0..<Int(random.next() % 3) + 1 {
                let at = Int(random.next() % UInt64(body.count))
                switch random.next() % 3 {
                case 0: body[at] = marks[Int(random.next() % UInt64(marks.count))]
                case 1: if body.count > 1 { body.remove(at: at) }
                default: body.insert(marks[Int(random.next() % UInt64(marks.count))], at: at)
                }
            }
            guard let result = try? Self.read(body) else { continue }
            read += 1
            if result.file.count > body.count { Issue.record("a file of \(result.file.count) bytes") }
        }
        #expect(read > 1000)
    }

    @Test("The length of a file that is the last part follows from the body's, before the file is read")
    func length() throws {
        for size in [0, 1, 700] {
            let file = [UInt8](repeating: 7, count: size)
            let body =
                Self.part(#"name="name""#, Array("x".utf8)) + Self.part(#"name="file"; filename="a""#, file)
                + Self.end
            for step in [1, 13, body.count] {
                var upload = Upload(boundary: Self.boundary, mostBytes: 1000)
                var rest = body[...]
                while upload.fileOffset == nil, !rest.isEmpty {
                    _ = try upload.add(rest.prefix(step))
                    rest = rest.dropFirst(step)
                }
                #expect(body.count - (upload.fileOffset ?? 0) - upload.closing == size)
            }
        }
    }

    @Test("Fields before a file become the intake's request, or are refused by their names")
    func requests() throws {
        func read(_ route: Route.Name, _ form: String, field: String = "file", file: String = "a.bin") -> (
            IntakeRequest?, String
        ) {
            do throws(FieldRefusal) {
                let form = try! Form(form.utf8)
                return (try UploadFields.request(route, form, field: field, file: file), "")
            } catch {
                return (nil, "\(error.field) \(error.code)")
            }
        }
        let sound = read(.sound, "name=ours&prayer=isha").0
        #expect(sound?.act == .recording && sound?.name == "ours" && sound?.prayer == "isha")
        #expect(read(.sound, "name=ours&prayer=").0?.prayer == nil && read(.picture, "").0?.act == .picture)
        #expect(read(.uploadTimetable, "", file: "a\r\nb\u{202E}.csv").0?.name == "ab.csv")
        #expect(
            read(.sound, "").1 == "name missing" && read(.sound, "name=a&prayer=tea").1 == "prayer unknown")
        #expect(read(.sound, "name=a", field: "other").1 == "file missing")
        let answers = try UploadFields.answers([
            .init("dates", "day-month"), .init("year", ""), .init("clock", "winter"),
        ])
        #expect(
            answers.act == .answerTimetable && answers.dates == "day-month" && answers.year == nil
                && answers.clock == "winter")
    }
}
