import AdapterRuntime
import Foundation
import LamplighterTesting
import TestSupport
import Testing
import WorklightProject

@Suite("A project that many tests are about")
struct HarnessProjectTests {
    private func project(_ script: String) async throws -> HarnessProject {
        let folder = try TemporaryFolder(AdapterText(name: "A", script: script).files)
        // The files go with the object.
        defer { withExtendedLifetime(folder) {} }
        return try await HarnessProject(reading: folder.url)
    }

    @Test("Each of its harnesses is a separate world")
    func isolation() async throws {
        let project = try await project("var sum = 0; function add(x) { return sum += x; }")
        let (one, two) = (try await AdapterHarness(project), try await AdapterHarness(project))
        #expect(try await one.user("ann").call("add", 1) == 1)
        #expect(try await two.user("ann").call("add", 2) == 2)
        #expect(try await one.user("ann").call("add", 3) == 4)
    }

    @Test("The top level of the adapter has run when the test begins, and its polls are planned")
    func beginning() async throws {
        let project = try await project(
            """
            WL.Server.createEventSource({ name: "S", poll: { interval: 10, onPoll: look } });
            WL.Logger.info("loaded");
            function look() {}
            """)
        let harness = try await AdapterHarness(project)
        #expect(harness.log.map(\.message).filter { $0 == "loaded" }.count == 1)
        #expect(!(try await harness.advance(by: .seconds(10)).isEmpty))
    }

    @Test("A problem of the project is reported by each harness")
    func problems() async throws {
        let project = try await project("function run() { return (; }")
        for _ in 0..<2 {
            let error = try await #require(throws: HarnessLoadingError.self) { _ = try await AdapterHarness(project) }
            #expect(error.description.contains("adapters/A/A-impl.js:1"))
        }
    }

    @Test("A harness leaves no runtime, no file and no sleeping task behind", .defaultTimeLimit)
    func nothingLeft() async throws {
        weak var runtime: AdapterRuntime?
        var path = ""
        do {
            let harness = try await AdapterHarness(
                adapter: "A",
                script: """
                    WL.Server.createEventSource({ name: "S", poll: { interval: 10, onPoll: look } });
                    function look() {}
                    function run() { return 1; }
                    """)
            try await harness.user("ann").device("phone").subscribe(to: "S")
            try await harness.advance(by: .seconds(20))
            (runtime, path) = (harness.runtime, harness.project.folder.path)
            #expect(FileManager.default.fileExists(atPath: path))
        }
        // The scheduler saves its polls' records in a task, which holds the runtime.
        try await waitUntil { runtime == nil && !FileManager.default.fileExists(atPath: path) }
    }
}
