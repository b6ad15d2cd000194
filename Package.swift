// swift-tools-version: 6.2
import PackageDescription

// One set of rules for every Swift target: language mode 6, no warning survives, every unsafe operation is marked.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")

let package = Package(
    name: "adhand",
    products: [
        .library(name: "PrayerEngine", targets: ["PrayerEngine"]),
        // The messages of the control socket, and the client's end of it, for programs of others.
        .library(name: "Protocol", targets: ["Protocol"]),
        .library(name: "ControlClient", targets: ["ControlClient"]),
        // Two executable files are installed: adhand without network code, and all other programs. `make` adds links to them by
        // the names of the programs.
        .executable(name: "adhand", targets: ["AdhandPrograms"]),
        .executable(name: "adhan-programs", targets: ["OtherPrograms"]),
        // For `make run` alone.
        .executable(name: "adhan-display-programs", targets: ["DisplayPrograms"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The HTTP server of the display and of the phone page: the daemon has no network code.
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        // The inputs against which the TOML reader is tried, in tests alone.
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Pure modules: no clock, no files, no Dispatch.
        .target(name: "PrayerEngine", swiftSettings: rules),
        .target(name: "TOML", swiftSettings: rules),
        // Texts <- Settings <- Times <- Protocol <- Announcements <- StateFile <- Daemon; Protocol <- Console;
        // Settings <- Places <- Console.
        .target(name: "Texts", dependencies: ["PrayerEngine"], swiftSettings: rules),
        .target(name: "Settings", dependencies: ["Texts", "PrayerEngine", "TOML"], swiftSettings: rules),
        .target(name: "Places", dependencies: ["Settings", "Texts", "PrayerEngine"], swiftSettings: rules),
        .target(
            name: "Times", dependencies: ["Settings", "Texts", "PrayerEngine", "TOML"], swiftSettings: rules),
        .target(
            name: "Protocol", dependencies: ["Times", "Settings", "Texts", "PrayerEngine"],
            swiftSettings: rules),
        // The plan of a day: what is to be heard, when, and what gives way to what.
        .target(
            name: "Announcements", dependencies: ["Protocol", "Times", "Settings", "Texts", "PrayerEngine"],
            swiftSettings: rules),
        // The state that outlives the program, and its form on disk.
        .target(
            name: "StateFile",
            dependencies: [
                "Announcements", "Envelope", "Protocol", "Times", "Settings", "Texts", "PrayerEngine",
            ],
            swiftSettings: rules),
        .target(
            name: "Daemon",
            dependencies: [
                "StateFile", "Announcements", "Envelope", "Protocol", "Times", "Settings", "Texts",
                "PrayerEngine",
            ],
            swiftSettings: rules),
        // Decisions of the control socket and of the history's file that need no state: as pure.
        .target(
            name: "ControlRules", dependencies: ["Protocol", "Texts", "PrayerEngine"], swiftSettings: rules),
        // A flashed box and its card: names, readers, verdicts and reports, as pure.
        .target(
            name: "BoxCard", dependencies: ["Protocol", "Settings", "TOML", "Texts", "PrayerEngine"],
            swiftSettings: rules),
        .target(
            name: "Console",
            dependencies: [
                "BoxCard", "Protocol", "Times", "Places", "Settings", "TOML", "Texts", "PrayerEngine",
            ],
            swiftSettings: rules),

        // Other people's timetables, bytes in and a table out: as pure, but zlib opens the archives.
        .target(
            name: "TimetableImport",
            dependencies: ["Times", "Settings", "Texts", "PrayerEngine", "CZlib"],
            swiftSettings: rules),

        // Other people's pictures, bytes in and a clean file out: as pure, but zlib measures a PNG.
        .target(name: "PictureImport", dependencies: ["CZlib"], swiftSettings: rules),

        // One person's prayers, and what is to be reported of them: as pure.
        .target(
            name: "PrayerLog",
            dependencies: ["Protocol", "Settings", "Texts", "PrayerEngine", "Languages"],
            swiftSettings: rules),
        // The words that the display and the companion share.
        .target(name: "Languages", dependencies: ["Settings", "Texts", "CLanguages"], swiftSettings: rules),
        // The contents of the wall's screen over time: as pure.
        .target(
            name: "ScreenPlan",
            dependencies: ["Protocol", "Settings", "Texts", "PrayerEngine", "Languages"],
            swiftSettings: rules),

        // Decisions of every web server of this project: who keeps a connection, and by which name it may be called. As pure.
        .target(name: "WebRules", swiftSettings: rules),
        // QR codes, for phones that look at a screen, a terminal or a label: as pure.
        .target(name: "QR", swiftSettings: rules),
        // The phone page without its sockets: who may come in, forms, pages, QR codes: as pure.
        .target(
            name: "PhoneRules",
            dependencies: [
                "Protocol", "Times", "Places", "Settings", "Texts", "PrayerEngine", "TOML", "Languages", "QR",
            ],
            swiftSettings: rules),

        // The words of the bridge to the house, and its calls for help: as pure.
        .target(
            name: "BridgePlan", dependencies: ["Envelope", "Protocol", "Settings", "Texts", "PrayerEngine"],
            swiftSettings: rules),
        // Decisions of adhan-hooks: programs to be run, relays to be switched.
        .target(
            name: "HookPlan", dependencies: ["BridgePlan", "Protocol", "Settings", "Texts", "PrayerEngine"],
            swiftSettings: rules),

        // Signed changes of a fleet: their form, whom they are for and why one is refused: as pure.
        .target(
            name: "Envelope", dependencies: ["Texts", "PrayerEngine", "TOML"],
            swiftSettings: rules),

        // The watch over a fleet and its roll-outs: reports in, alarms and acts out: as pure.
        .target(
            name: "FleetPlan",
            dependencies: ["Envelope", "Times", "Settings", "Texts", "PrayerEngine", "QR"],
            swiftSettings: rules),

        // Ed25519; sees libsodium.
        .target(name: "Signature", dependencies: ["CSodium"], swiftSettings: rules),
        // Rooms at the edge. The clock that nobody sets is read here, for adhand, the phone page and sounds.
        .target(name: "Clocks", swiftSettings: rules),
        .target(
            name: "Host",
            dependencies: [
                "Protocol", "Times", "Places", "Settings", "Texts", "PrayerEngine", "CLinux",
                "CPlaces",
            ],
            swiftSettings: rules),
        .target(name: "ControlClient", dependencies: ["Protocol", "Texts", "Host"], swiftSettings: rules),
        // The parts of a screen, as adhand and the files of this machine have them.
        .target(
            name: "DisplayFeed",
            dependencies: [
                "Protocol", "Settings", "Texts", "PrayerEngine", "ScreenPlan", "Host", "ControlClient",
            ],
            swiftSettings: rules),
        // One session with a broker; sees libmosquitto.
        .target(name: "MQTT", dependencies: ["Host", "CMosquitto"], swiftSettings: rules),
        // Bounded requests to web servers; sees libcurl.
        .target(name: "WebDelivery", dependencies: ["CCurl"], swiftSettings: rules),
        // GPIO lines, keys and a television, as the kernel has them.
        .target(name: "HardwareLines", dependencies: ["CLinux"], swiftSettings: rules),
        .target(name: "Recording", dependencies: ["Clocks", "CMpg123"], swiftSettings: rules),
        .target(name: "Playback", dependencies: ["Clocks", "Recording", "CAlsa"], swiftSettings: rules),
        // Shared by the programs that people type: output, diagnostics, exit statuses.
        .target(name: "CommandKit", dependencies: ["Texts", "Host", argumentParser], swiftSettings: rules),
        // systemd, as services speak to it.
        .target(name: "Systemd", dependencies: ["Host", "CSystemd"], swiftSettings: rules),
        .target(
            name: "adhand",
            dependencies: [
                "CommandKit", "Console", "Announcements", "StateFile", "Daemon", "ControlRules", "Envelope",
                "Signature", "Protocol", "Times", "Settings", "Texts", "PrayerEngine", "Host", "Playback",
                "Recording", "Systemd", "Clocks", "CSystemd", "CLinux", argumentParser,
            ],
            swiftSettings: rules),
        // The changes of this machine that need no daemon: what adhanctl writes and looks at.
        .target(
            name: "Maintenance",
            dependencies: [
                "CommandKit", "BoxCard", "Console", "Envelope", "Protocol", "Times", "Places", "Settings",
                "Texts", "PrayerEngine", "Host", "ControlClient", "ScreenPlan", "DisplayFeed",
                "TimetableImport", "PictureImport", "Recording", "Playback", "CLinux",
            ],
            swiftSettings: rules),
        .target(
            name: "adhanctl",
            dependencies: [
                "CommandKit", "Maintenance", "BoxCard", "Console", "Protocol", "Times", "Places", "Settings",
                "Texts", "PrayerEngine", "Host", "ControlClient", "ScreenPlan", "DisplayFeed", "PhoneRules",
                "QR", "TimetableImport", "Playback", argumentParser,
            ],
            swiftSettings: rules),

        .executableTarget(
            name: "AdhandPrograms", dependencies: ["adhand", "adhanctl", "CommandKit", "Host"],
            swiftSettings: rules),

        // The person's log on disk, and the program beside it: nothing of either is linked into the daemon.
        .target(
            name: "LogStore", dependencies: ["Texts", "PrayerLog", "PrayerEngine", "Host", "CSQLite"],
            swiftSettings: rules),
        .target(
            name: "adhan-companion",
            dependencies: [
                "CommandKit", "Protocol", "Times", "Settings", "Texts", "PrayerLog", "LogStore", "Languages",
                "PrayerEngine", "Host", "ControlClient", "CSystemd", "CLinux", argumentParser,
            ],
            swiftSettings: rules),
        // The house and the calls for help: the network, and no devices.
        .target(
            name: "adhan-bridge",
            dependencies: [
                "CommandKit", "BridgePlan", "Envelope", "Signature", "MQTT", "WebDelivery", "Protocol",
                "Times", "Settings", "Texts", "PrayerEngine", "Host", "ControlClient", "Systemd", "CSystemd",
                "CLinux", argumentParser,
            ],
            swiftSettings: rules),
        // The desk of a fleet: keys and signatures, on a machine without network.
        .target(
            name: "adhan-fleet",
            dependencies: [
                "CommandKit", "FleetPlan", "Envelope", "Signature", "MQTT", "WebDelivery", "WebServer",
                "Settings", "Texts", "PrayerEngine", "Host", "Systemd", argumentParser, nioCore, nioPosix,
                nioHTTP1,
            ],
            swiftSettings: rules),
        .target(
            name: "adhan-hooks",
            dependencies: [
                "CommandKit", "HookPlan", "HardwareLines", "Protocol", "Settings", "Texts", "PrayerEngine",
                "Host", "ControlClient", "Systemd", argumentParser,
            ],
            swiftSettings: rules),
        // The HTTP server that the display and the phone page share.
        .target(
            name: "WebServer",
            dependencies: ["WebRules", "Host", "CSystemd", nioCore, nioPosix, nioHTTP1],
            swiftSettings: rules),
        .target(
            name: "adhan-display",
            dependencies: [
                "CommandKit", "Protocol", "Settings", "Texts", "PrayerEngine", "ScreenPlan", "DisplayFeed",
                "Languages", "WebRules", "WebServer", "Host", "ControlClient", "CQrencode", "Systemd",
                "CLinux", argumentParser, nioCore, nioPosix, nioHTTP1,
            ],
            swiftSettings: rules),

        // The phone page: pairs phones, and asks of adhand what they ask for.
        .target(
            name: "adhan-remote",
            dependencies: [
                "CommandKit", "PhoneRules", "WebRules", "WebServer", "Protocol", "Times", "Places",
                "Settings", "Texts", "PrayerEngine", "Languages", "Host", "ControlClient", "CPlaces",
                "Systemd", "Clocks", argumentParser, nioCore, nioPosix, nioHTTP1,
            ],
            swiftSettings: rules),

        // The name server of a box's own network.
        .target(
            name: "adhan-hotspot-dns", dependencies: ["PhoneRules", "Texts", "Host", "CSystemd"],
            swiftSettings: rules),

        // The display's own session: a compositor and a browser, looked after.
        .target(
            name: "adhan-kiosk",
            dependencies: [
                "CommandKit", "Protocol", "Texts", "ScreenPlan", "DisplayFeed", "Host", "Systemd", "CLinux",
                argumentParser,
            ],
            swiftSettings: rules),

        // One tap on that display: the only part of it that may change anything.
        .target(
            name: "adhan-touch",
            dependencies: [
                "Protocol", "Texts", "ScreenPlan", "DisplayFeed", "PhoneRules", "QR", "Host",
                "ControlClient",
            ],
            swiftSettings: rules),

        .executableTarget(
            name: "DisplayPrograms",
            dependencies: ["adhan-display", "adhan-kiosk", "adhan-touch", "CommandKit", "Host"],
            swiftSettings: rules),

        .executableTarget(
            name: "OtherPrograms",
            dependencies: [
                "adhan-bridge", "adhan-companion", "adhan-display", "adhan-fleet", "adhan-hooks",
                "adhan-hotspot-dns", "adhan-kiosk", "adhan-remote", "adhan-touch", "CommandKit", "Host",
            ],
            swiftSettings: rules),

        // Chance that comes out the same again, for the simulator and for tests.
        .target(name: "SeededRandom", swiftSettings: rules),

        // A hostile world around the pure core, and the program that runs it.
        .target(
            name: "AdhanSimulator",
            dependencies: [
                "Announcements", "StateFile", "Daemon", "Envelope", "Protocol", "Times", "Settings", "Texts",
                "PrayerEngine", "SeededRandom",
            ],
            swiftSettings: rules),
        // Fleets in which boxes, lines and brokers fail, and an oracle that knows who was heard.
        .target(
            name: "FleetSimulator",
            dependencies: ["FleetPlan", "Envelope", "Texts", "PrayerEngine", "SeededRandom"],
            swiftSettings: rules),
        .executableTarget(
            name: "simulate-fleets", dependencies: ["FleetSimulator", argumentParser], swiftSettings: rules),
        .executableTarget(
            name: "simulate", dependencies: ["AdhanSimulator", argumentParser], swiftSettings: rules),
        .executableTarget(
            name: "bench-playback", dependencies: ["Playback", "Recording"], path: "Benchmarks/playback",
            swiftSettings: rules),
        .executableTarget(
            name: "bench-engine", dependencies: ["PrayerEngine"], path: "Benchmarks/engine",
            swiftSettings: rules),

        // The list of places (Resources/gazetteer makes it), laid into what calculates for a place.
        .target(name: "CPlaces", exclude: ["places.bin"], cSettings: [.headerSearchPath(".")]),
        // The tables of languages, laid into the companion; the display reads them beside its page.
        .target(
            name: "CLanguages",
            cSettings: [.headerSearchPath("../../Resources/display/page/languages")]),

        // Their headers, and functions that load the library at the first use (libmosquitto-dev, libcurl4-openssl-dev).
        .target(name: "CMosquitto"),
        .target(name: "CCurl"),

        // Module maps over system headers.
        .systemLibrary(name: "CAlsa", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CMpg123", pkgConfig: "libmpg123", providers: [.apt(["libmpg123-dev"])]),
        // In adhan-display alone.
        .systemLibrary(
            name: "CQrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        // In adhan-companion alone.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),

        .testTarget(
            name: "PrayerEngineTests", dependencies: ["PrayerEngine", "SeededRandom"],
            resources: [.copy("Fixtures")],
            swiftSettings: rules),
        // The pure modules, a target for each, and those that drive the daemon's state machine with a clock of their own.
        .testTarget(
            name: "TextsTests", dependencies: ["Protocol", "Texts", "PrayerEngine", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Protocol", "Settings", "Texts", "PrayerEngine", "LabSupport", "SeededRandom", "TOML",
                "TOMLKit",
            ],
            resources: [.copy("Fixtures")], swiftSettings: rules),
        .testTarget(
            name: "TimesTests", dependencies: ["Times", "Settings", "Texts", "PrayerEngine", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "PlacesTests", dependencies: ["Places", "PrayerEngine", "BoxSupport", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "ProtocolTests", dependencies: ["Protocol", "Settings", "Texts", "LabSupport"],
            resources: [.copy("Fixtures")], swiftSettings: rules),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Console", "Announcements", "StateFile", "Daemon", "ControlRules", "Envelope", "Signature",
                "Protocol", "Times", "Settings", "Texts", "AdhanSimulator", "PrayerEngine", "BoxSupport",
                "LabSupport", "SeededRandom",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "BoxCard", "Console", "Announcements", "StateFile", "Daemon", "ScreenPlan", "Protocol",
                "Times", "Places", "Settings", "Texts", "PrayerEngine", "BoxSupport", "LabSupport",
                "SeededRandom",
            ],
            resources: [.copy("Fixtures")], swiftSettings: rules),
        .testTarget(
            name: "SimulatorTests", dependencies: ["AdhanSimulator", "Announcements", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "TimetableImportTests",
            dependencies: [
                "Console", "Daemon", "Times", "Settings", "Texts", "TimetableImport", "PrayerEngine",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "ScreenPlanTests",
            dependencies: [
                "Protocol", "Settings", "Texts", "ScreenPlan", "Languages", "PrayerEngine", "SeededRandom",
            ],
            swiftSettings: rules),
        // The web server itself, on loopback, with a handler that says what a test wants.
        .testTarget(
            name: "WebServerTests",
            dependencies: ["WebRules", "WebServer", "SeededRandom", nioCore, nioPosix, nioHTTP1],
            swiftSettings: rules),
        .testTarget(
            name: "PhoneRulesTests",
            dependencies: [
                "Protocol", "Host", "Times", "Places", "Settings", "Texts", "PhoneRules", "Languages",
                "PrayerEngine", "QR", "SeededRandom", "LabSupport",
            ],
            swiftSettings: rules),
        // The real server, before a daemon that says what a test wants.
        .testTarget(
            name: "AdhanDisplayTests",
            dependencies: ["ScreenPlan", "PrayerEngine", "Host", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "HostTests",
            dependencies: [
                "Protocol", "Times", "Places", "Settings", "Texts", "Host", "PrayerEngine", "LabSupport",
            ],
            swiftSettings: rules),
        // The lab sound card (Tests/Lab) for every test that wants to hear something.
        .target(
            name: "LabSupport", dependencies: ["Protocol", "Texts", "Host", "PrayerEngine"],
            path: "Tests/LabSupport",
            swiftSettings: rules),
        // A daemon on a table, a fleet whose envelopes tests sign, and a box on which all is well, for a test to spoil.
        .target(
            name: "BoxSupport",
            dependencies: [
                "Console", "Announcements", "StateFile", "Daemon", "Envelope", "Signature", "Protocol",
                "Times", "Places", "Settings", "Texts", "CPlaces", "PrayerEngine", "LabSupport",
            ],
            path: "Tests/BoxSupport", swiftSettings: rules),
        .testTarget(
            name: "PlaybackTests", dependencies: ["Playback", "Recording", "LabSupport", "SeededRandom"],
            resources: [.copy("Fixtures")],
            swiftSettings: rules),
        // Playing through real sound servers: `make sound-rig` installs what it needs and runs it.
        .testTarget(
            name: "SoundRigTests", dependencies: ["Playback", "Recording", "LabSupport"], swiftSettings: rules
        ),
        .testTarget(
            name: "AdhandTests",
            dependencies: [
                "Console", "StateFile", "Daemon", "Protocol", "Times", "Settings", "Texts", "PrayerEngine",
                "Host", "LabSupport",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "AdhanctlTests",
            dependencies: [
                "Console", "StateFile", "Daemon", "Protocol", "Times", "Places", "Settings", "Texts",
                "PrayerEngine", "Host", "ControlClient", "LabSupport",
            ],
            resources: [.copy("Fixtures")], swiftSettings: rules),
        // Files that adhanctl writes, in folders of a test's own, without a daemon.
        .testTarget(
            name: "MaintenanceTests",
            dependencies: [
                "Maintenance", "CommandKit", "BoxCard", "Console", "Protocol", "Times", "Settings", "Texts",
                "PrayerEngine", "Host", "ControlClient", "PictureImport", "LabSupport",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "PrayerLogTests",
            dependencies: [
                "Console", "Settings", "Texts", "PrayerLog", "Languages", "PrayerEngine", "SeededRandom",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "WebDeliveryTests", dependencies: ["WebDelivery", "LabSupport"], swiftSettings: rules),
        // A session with a real broker on loopback.
        .testTarget(name: "MQTTTests", dependencies: ["MQTT", "LabSupport"], swiftSettings: rules),
        .testTarget(
            name: "BridgePlanTests",
            dependencies: [
                "BridgePlan", "Envelope", "Protocol", "Settings", "Texts", "PrayerEngine", "SeededRandom",
                "LabSupport",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "HookPlanTests",
            dependencies: [
                "HookPlan", "BridgePlan", "Protocol", "Settings", "Texts", "PrayerEngine", "SeededRandom",
                "LabSupport",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "EnvelopeTests",
            dependencies: ["Envelope", "Signature", "Texts", "PrayerEngine", "SeededRandom", "LabSupport"],
            swiftSettings: rules),
        .testTarget(
            name: "FleetPlanTests",
            dependencies: [
                "FleetPlan", "FleetSimulator", "Envelope", "Settings", "Texts", "PrayerEngine", "QR",
                "SeededRandom",
            ],
            swiftSettings: rules),
        .testTarget(
            name: "PictureImportTests", dependencies: ["PictureImport", "SeededRandom"], swiftSettings: rules),
        .testTarget(
            name: "CompanionTests",
            dependencies: [
                "Console", "Protocol", "Texts", "PrayerLog", "LogStore", "Languages", "PrayerEngine", "Host",
                "LabSupport", "SeededRandom",
            ],
            swiftSettings: rules),
    ]
)

// The build of the suites (make tests-built): the modules in which the suites spend their time are optimised, and keep their assertions.
// The others and the tests themselves are not: that would take longer than they run.
if Context.environment["ADHAND_SUITES"] != nil {
    let busy = [
        "Texts", "PrayerEngine", "Announcements", "Times", "Places", "StateFile", "Daemon", "BridgePlan",
        "Recording", "Playback",
    ]
    for name in busy {
        let target = package.targets.first { $0.name == name }!
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-O", "-assert-config", "Debug"])]
    }
}
