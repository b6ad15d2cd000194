import Settings
import Testing
import Texts

@Suite("Names of sounds") struct SoundNameTests {
    @Test("A name leads to the prayer's own recording, then the general one, then a single file")
    func candidates() {
        #expect(
            SoundName("standard").candidates(for: .fajr)
                == ["standard/fajr.mp3", "standard/adhan.mp3", "standard.mp3"])
        #expect(
            SoundName("madinah/2019").candidates(for: .isha)
                == ["madinah/2019/isha.mp3", "madinah/2019/adhan.mp3", "madinah/2019.mp3"])
    }

    @Test("Friday's prayer takes dhuhr's recording where it has none of its own")
    func jumua() {
        #expect(
            SoundName("standard").candidates(for: .jumua)
                == ["standard/jumua.mp3", "standard/dhuhr.mp3", "standard/adhan.mp3", "standard.mp3"])
    }

    @Test("An absolute path stays itself")
    func absolute() {
        #expect(SoundName("/srv/adhan.mp3") == .absolute(path: "/srv/adhan.mp3"))
        #expect(SoundName("/srv/adhan.mp3").candidates(for: .asr) == ["/srv/adhan.mp3"])
    }

    @Test(
        "A name that would leave the sounds' directories, or is no file name, leads nowhere",
        arguments: [
            "", "..", ".", "../adhan", "a/../b", "a/..", "./a", "a//b", "a/", "a\0b",
            String(repeating: "a", count: 1025),
        ])
    func unusable(name: String) {
        #expect(SoundName(name) == .unusable)
        #expect(SoundName(name).candidates(for: .asr).isEmpty)
    }

    @Test("Dots inside a name are a name", arguments: ["v1.2", "...", ".hidden", "a..b"])
    func dots(name: String) {
        #expect(SoundName(name) == .named(name))
    }
}
