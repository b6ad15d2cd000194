// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: it sees what this checkout's products make public, and nothing more.
let package = Package(
    name: "outside",
    dependencies: [.package(name: "adhand", path: "../../..")],
    targets: [
        .executableTarget(
            name: "outside",
            dependencies: [
                .product(name: "ControlClient", package: "adhand"),
                .product(name: "Protocol", package: "adhand"),
            ])
    ]
)
