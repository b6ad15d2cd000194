import Recording
import Testing

@Suite("Volume") struct VolumeScaleTests {
    @Test(
        "Percent become decibels by the cube of the amplitude",
        arguments: [(100, 0.0), (80, -5.81), (60, -13.31), (50, -18.06), (10, -60.0), (1, -120.0)])
    func gain(percent: Int, decibels: Double) {
        #expect(abs(VolumeScale.gainDb(percent: percent) - decibels) < 0.01)
    }

    @Test("Nothing is louder than the recording, and zero is silence")
    func ends() {
        #expect(VolumeScale.gainDb(percent: 0) == VolumeScale.silenceDb)
        #expect(VolumeScale.gainDb(percent: -5) == VolumeScale.silenceDb)
        #expect(VolumeScale.gainDb(percent: 101) == 0)
    }
}
