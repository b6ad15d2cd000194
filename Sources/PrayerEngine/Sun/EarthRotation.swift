/// The relation between UTC, UT1 and TT. All days here count from 1970-01-01T00:00.
enum EarthRotation {
    /// TT − UT1 in milliseconds every 91.3125 days from 1972-01-01 (day 730).
    ///
    /// Source: IERS EOP 20 C04 (1972) and finals2000A (1973 to 2027-10-29, the last year of it predicted); TT
    /// − UT1 = 32.184 s + (TAI − UTC) − (UT1 − UTC). Straight lines between the entries stay within 0.035 s
    /// of the daily values (0.007 s rms), the seasons of the Earth's rotation included.
    private static let deltaTMilliseconds: [Int32] = [
        42_229, 42_532, 42_824, 43_072, 43_371, 43_676, 43_958, 44_199, 44_483, 44_741,
        45_000, 45_208, 45_475, 45_740, 45_985, 46_185, 46_457, 46_731, 46_999, 47_236,
        47_519, 47_780, 48_037, 48_247, 48_533, 48_839, 49_103, 49_308, 49_585, 49_859,
        50_105, 50_299, 50_539, 50_767, 50_977, 51_154, 51_379, 51_600, 51_814, 51_961,
        52_166, 52_370, 52_577, 52_735, 52_956, 53_223, 53_436, 53_586, 53_788, 53_945,
        54_086, 54_191, 54_341, 54_491, 54_636, 54_718, 54_871, 55_001, 55_114, 55_191,
        55_322, 55_465, 55_582, 55_666, 55_820, 55_967, 56_094, 56_161, 56_299, 56_429,
        56_570, 56_674, 56_854, 57_049, 57_224, 57_365, 57_565, 57_774, 57_959, 58_106,
        58_309, 58_541, 58_742, 58_898, 59_120, 59_359, 59_586, 59_759, 59_983, 60_206,
        60_402, 60_559, 60_785, 61_031, 61_247, 61_405, 61_629, 61_814, 61_998, 62_120,
        62_294, 62_477, 62_658, 62_793, 62_965, 63_148, 63_285, 63_343, 63_467, 63_569,
        63_664, 63_715, 63_829, 63_908, 63_980, 64_009, 64_090, 64_159, 64_212, 64_222,
        64_299, 64_374, 64_414, 64_417, 64_473, 64_528, 64_550, 64_542, 64_574, 64_618,
        64_653, 64_640, 64_687, 64_758, 64_799, 64_792, 64_845, 64_918, 64_991, 65_038,
        65_146, 65_251, 65_342, 65_372, 65_457, 65_545, 65_629, 65_676, 65_776, 65_860,
        65_951, 65_984, 66_070, 66_169, 66_241, 66_244, 66_324, 66_397, 66_475, 66_506,
        66_603, 66_693, 66_771, 66_810, 66_906, 67_027, 67_127, 67_172, 67_280, 67_390,
        67_486, 67_536, 67_644, 67_760, 67_861, 67_956, 68_102, 68_267, 68_397, 68_463,
        68_592, 68_714, 68_825, 68_869, 68_967, 69_051, 69_113, 69_136, 69_220, 69_304,
        69_358, 69_338, 69_361, 69_409, 69_424, 69_357, 69_360, 69_358, 69_351, 69_289,
        69_294, 69_284, 69_251, 69_189, 69_204, 69_208, 69_219, 69_173, 69_175, 69_198,
        69_187, 69_125, 69_138, 69_147, 69_140, 69_091, 69_110, 69_134, 69_169, 69_207,
        69_307, 69_391, 69_420, 69_382, 69_389,
    ]
    private static let tableStart = 730.0
    private static let tableStep = 91.3125
    /// 2027-10-29, the last day for which UT1 was predicted when the table was made.
    private static let tableEnd = 21_120.0

    /// TT − UT1 in seconds every five years from 1950, for the years before the bulletins: the Astronomical Almanac's
    /// table, p. K9.
    private static let earlyDeltaT = [29.15, 31.07, 33.15, 35.73, 40.18, 43.37]
    private static let earlyStart = -7305.0
    private static let earlyStep = 1826.25

    /// TT − UTC when no leap second is in sight: 32.184 s + 37 s.
    static let deltaTToday = 69.184

    /// Days on which TAI − UTC became 10 s, 11 s, … 37 s. Source: IERS Bulletin C.
    private static let leapDays: [Double] = [
        730, 912, 1096, 1461, 1826, 2191, 2557, 2922, 3287, 3652, 4199, 4564, 4929, 5660, 6574, 7305, 7670,
        8217,
        8582, 8947, 9496, 10043, 10592, 13149, 14245, 15522, 16617, 17167,
    ]

    /// TT − UT1 in seconds at a day of UT1. The function is continuous except for one step of 0.2 s at the table's
    /// end.
    static func deltaT(day: Double) -> Double {
        if day >= tableEnd { return deltaTToday }
        if day >= tableStart {
            let place = (day - tableStart) / tableStep
            let index = min(Int(place), deltaTMilliseconds.count - 2)
            let from = Double(deltaTMilliseconds[index])
            let to = Double(deltaTMilliseconds[index + 1])
            return (from + (to - from) * (place - Double(index))) / 1000
        }
        if day >= earlyStart {
            let place = (day - earlyStart) / earlyStep
            let index = min(Int(place), earlyDeltaT.count - 2)
            return earlyDeltaT[index] + (earlyDeltaT[index + 1] - earlyDeltaT[index])
                * (place - Double(index))
        }
        // The long-term parabola of L. V. Morrison and F. R. Stephenson, J. Hist. Astron. 35 (2004) 327.
        let centuries = (day + 54_787) / 36_525  // since 1820
        return -20 + 32 * centuries * centuries
    }

    /// UT1 − UTC in seconds. Zero before 1972, when UTC was steered to follow UT1, and after the last
    /// prediction.
    static func dut1Seconds(day: Double) -> Double {
        guard day >= tableStart, day < tableEnd else { return 0 }
        var index = leapDays.count - 1
        while leapDays[index] > day { index -= 1 }
        return 32.184 + Double(10 + index) - deltaT(day: day)
    }

    /// The instant at which UT1 reads `day`.
    static func instant(ut1 day: Double) -> Instant {
        let guess = day * 86_400
        return Instant(unixSeconds: guess - dut1Seconds(day: (guess - dut1Seconds(day: day)) / 86_400))
    }

    /// The day of UT1 at an instant.
    static func ut1(_ instant: Instant) -> Double {
        let day = instant.unixSeconds / 86_400
        return day + dut1Seconds(day: day) / 86_400
    }
}
