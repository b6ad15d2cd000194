import Foundation
import SeededRandom
import Testing

@testable import PrayerEngine

@Suite("The Sun")
struct SunTests {
    /// UT1 in days since 1970, sine of the declination, equation of time in radians: SOFA's `epv00` with IAU
    /// 2006/2000A precession-nutation and aberration, calculated with ERFA 2.0.1.
    static let sofa: [(Double, Double, Double)] = [
        (-5418.0 + 5.0 / 24, -0.1239525369, -0.0533550714),
        (911.0 + 20.0 / 24, 0.3928526646, -0.0159801016),
        (10956.0 + 0.0 / 24, -0.3930231302, -0.0112039531),
        (16986.0 + 13.0 / 24, 0.3875506733, -0.0196128374),
        (20777.0 + 17.0 / 24, -0.3387217663, 0.0625398779),
        (28548.0 + 9.0 / 24, -0.1330780350, -0.0539112261),
        (47399.0 + 10.0 / 24, -0.1191033151, 0.0570599457),
    ]

    @Test("Its place agrees with SOFA's to a quarter of an arcsecond", arguments: sofa)
    func place(day: Double, sineDeclination: Double, equationOfTime: Double) {
        let sun = SunPosition(ut1: day)
        #expect(abs(sun.sineDeclination - sineDeclination) < 0.25 * arcsecond)
        #expect(abs(sun.equationOfTime - equationOfTime) < 0.25 * arcsecond)
    }

    @Test("Its curve through shared nodes stays within a millisecond of hour angle of its place")
    func interpolation() {
        var random = SplitMix64(seed: 20_261_120)
        var worst = 0.0
        for _ in 0..<1500 {
            let origin = Double.random(in: -7305...47_482, using: &random)
            let x = Double.random(in: -0.52...0.52, using: &random)
            var track = SunTrack()
            let curve = track.curve(around: origin)(x)
            let sun = SunPosition(ut1: origin + x)
            worst = max(worst, abs(curve.equationOfTime - sun.equationOfTime))
            worst = max(worst, abs(curve.sineDeclination - sun.sineDeclination))
        }
        let millisecond = 2 * Double.pi / 86_400_000
        #expect(worst < millisecond / 4, "\(worst / millisecond) ms")
    }

    @Test("The quick cosine agrees with the library's")
    func cosines() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<5000 {
            let turns = Double.random(in: -20_000...20_000, using: &random)
            let part = turns.truncatingRemainder(dividingBy: 1)
            #expect(abs(cosine(turns: turns) - cos(2 * .pi * part)) < 1e-10)
        }
    }

    /// IERS Bulletins C and D around the leap second of 31 December 2016: −0.408 s before, +0.592 s after.
    @Test(
        "UT1 − UTC follows the bulletins, leap seconds included",
        arguments: [
            (17_166.9, -0.408), (17_167.1, 0.591), (16_616.9, -0.676), (10_957.0, 0.355), (21_900.0, 0.0),
        ])
    func dut1Seconds(day: Double, expected: Double) {
        #expect(abs(EarthRotation.dut1Seconds(day: day) - expected) < 0.01)
    }

    @Test("Before 1972 UTC is UT1, and UT1's day turns back into the same instant")
    func ut1() {
        #expect(EarthRotation.dut1Seconds(day: -3000) == 0)
        for seconds in [-5e8, 0, 7.8e7, 1.5e9, 1.78e9, 3e9] {
            let instant = Instant(unixSeconds: seconds)
            let back = EarthRotation.instant(ut1: EarthRotation.ut1(instant))
            #expect(abs(back - instant) < 1e-5)
        }
    }
}
