import Testing

/// The tests' program. SwiftPM generates one that needs a list of XCTest's tests, which it reads from the build's index store; there are
/// no such tests, and builds without an index store take less time.
@main
struct TestMain {
    static func main() async {
        // `swift test` runs the program a second time for XCTest, without these arguments.
        guard CommandLine.arguments.contains("--testing-library") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
