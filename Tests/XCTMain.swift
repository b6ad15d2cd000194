import Testing

/// Runs the suites. Without this file SwiftPM would look for tests in the index of all sources, and the index takes time.
@main
enum Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
