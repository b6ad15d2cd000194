import Testing

@testable import Host

@Suite("Which program of a file is meant") struct CalledProgramTests {
    private static let names = ["adhand", "adhanctl"]
    /// `mine` is somebody's own link to the package's link; `alias` is one to the file itself.
    private static let links = [
        "/usr/bin/adhanctl": "adhand", "/home/u/bin/mine": "/usr/bin/adhanctl",
        "/home/u/bin/alias": "../../../usr/bin/adhand", "/tmp/round": "round",
    ]

    @Test(
        "The name that it was called by counts, then the path that was executed, then what links say",
        arguments: [
            ("/usr/bin/adhanctl", "/usr/bin/adhanctl", "adhanctl"),
            ("adhanctl", "/usr/bin/adhanctl", "adhanctl"),
            ("/usr/bin/adhand", "/usr/bin/adhand", "adhand"),
            // adhanctl starts itself again as /proc/self/exe, and says which program it is.
            ("adhanctl", "/proc/self/exe", "adhanctl"),
            // exec -a of a shell or a wrapper.
            ("anything", "/usr/bin/adhanctl", "adhanctl"), (nil, "/usr/bin/adhanctl", "adhanctl"),
            ("/home/u/bin/mine", "/home/u/bin/mine", "adhanctl"), ("mine", "/home/u/bin/mine", "adhanctl"),
            ("/home/u/bin/alias", "/home/u/bin/alias", "adhand"),
            // A copy under another name, a link in a circle, and nothing at all.
            ("/tmp/copy", "/tmp/copy", nil), ("adhand.old", "/tmp/adhand.old", nil),
            ("/tmp/round", "/tmp/round", nil), (nil, nil, nil), ("", "", nil),
        ] as [(String?, String?, String?)])
    func name(called: String?, executed: String?, expected: String?) {
        let found = CalledProgram.name(
            among: Self.names, called: called, executed: executed, target: { Self.links[$0] })
        #expect(found == expected)
    }
}
