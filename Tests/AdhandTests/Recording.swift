import Foundation
import Testing

/// The expected sound of a file on the card, by mpg123's own program: an independent witness.
enum Recording {
    /// The file decoded to interleaved stereo, times the gain of a volume in percent and one in decibels,
    /// as a 16-bit card gets it.
    static func expected(_ file: URL, volume: Double, gainDb: Double = 0) throws -> [Int16] {
        let gain = pow(volume / 100, 3) * pow(10, gainDb / 20)
        return try decoded(file).map {
            Int16(max(-32768, min(32767, (Double($0) * gain * 32768).rounded(.toNearestOrEven))))
        }
    }

    private static func decoded(_ file: URL) throws -> [Float] {
        let decoder = Process()
        let pipe = Pipe()
        decoder.executableURL = URL(filePath: "/usr/bin/env")
        decoder.arguments = ["mpg123", "-q", "-s", "-e", "f32", "--stereo", file.path]
        decoder.standardOutput = pipe
        try decoder.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        decoder.waitUntilExit()
        try #require(decoder.terminationStatus == 0, "mpg123 cannot decode \(file.path)")
        return (0..<data.count / 4).map { index in
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[4 * index + $1]) << (8 * UInt32($1)) }
            return Float(bitPattern: bits)
        }
    }
}

/// How far two recordings are apart at most, in steps of a 16-bit sample; `nil` when one is longer.
func distance(_ a: some Collection<Int16>, _ b: some Collection<Int16>) -> Int? {
    guard a.count == b.count else { return nil }
    return zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
