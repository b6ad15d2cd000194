import Testing

@testable import Host

struct MemoryTests {
    /// Shortened; the figures of one mapping stand below it.
    private static let smaps = """
        1000-2000 r--p 00000000 fe:00 11                         /usr/bin/program
        Rss:                  44 kB
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd mr mw me
        2000-9000 r-xp 00001000 fe:00 11                         /usr/bin/program
        Anonymous:             0 kB
        Swap:                  0 kB
        9000-b000 r--p 00008000 fe:00 11                         /usr/bin/program
        Anonymous:           596 kB
        Swap:                  0 kB
        b000-c000 r--p 0000a000 fe:00 11                         /usr/bin/program
        Anonymous:             0 kB
        Swap:                 16 kB
        c000-d000 rw-p 0000b000 fe:00 11                         /usr/bin/program
        Anonymous:             0 kB
        d000-e000 rw-p 00000000 00:00 0                          [heap]
        Anonymous:            68 kB
        7f00-8000 r--p 00000000 fe:00 12                         /usr/lib/a library.so
        Anonymous:             0 kB
        8000-8800 r-xp 00000100 fe:00 12                         /usr/lib/a library.so
        Anonymous:             0 kB
        8800-8900 r-xp 00000000 00:00 0                          [vdso]
        Anonymous:             0 kB
        """

    @Test("Code is dropped, and of the program's own file what nobody wrote to; nothing that would be lost")
    func droppable() {
        let found = Memory.droppable(Self.smaps, program: "/usr/bin/program")
        #expect(found == [0x1000..<0x2000, 0x2000..<0x9000, 0x8000..<0x8800])
        #expect(Memory.droppable("", program: "/usr/bin/program").isEmpty)
        #expect(Memory.droppable("nonsense\n1-\nAnonymous:\n9-1 r-xp 0 0 0 /x", program: "/x").isEmpty)
    }

    @Test("Constants are the same after their pages were dropped")
    func trim() {
        let text = StaticString("constants of this program")
        let before = text.description
        Memory.trim()
        #expect(text.description == before)
    }
}
