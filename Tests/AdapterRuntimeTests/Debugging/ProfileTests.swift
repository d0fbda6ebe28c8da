import AdapterRuntime
import JavaScriptEngine
import PushModel
import TestSupport
import Testing
import WorklightProject

@Suite("Profiles of calls")
struct ProfileTests {
    private static let script = """
        // Rhino's loop is translated: places must be the author's all the same.
        function run(rounds) { var t = 0; for each (var k in [1, 2]) { t += work(rounds) } return t }
        var work = function (rounds) {
            var s = 0;
            for (var i = 0; i < rounds; i++) s += Math.sqrt(i) % 7;
            return s;
        };
        """

    @Test("The hottest function comes first, with the place where it is written")
    func hottest() async throws {
        let project = try await TestProject(Self.script)
        let (result, profile) = try await project.runtime.profile(
            adapter: "A", procedure: "run", parameters: "[200000]", repeating: 20)
        #expect(result.isSuccessful)
        #expect(profile.calls == 20)
        #expect(profile.sampleCount > 10)
        let hottest = try #require(profile.hottest().first)
        #expect(hottest.function.text == "work  adapters/A/A-impl.js:3")
        #expect(hottest.function.location?.column == 12)
        #expect(hottest.own > 50)
        let run = try #require(profile.hottest().first { $0.function.name == "run" })
        #expect(run.total > 90)
        #expect(run.function.location?.line == 2)
        #expect(profile.summary.contains("work  adapters/A/A-impl.js:3"))
        #expect(!profile.cpuProfile.contains("lamplighter"))
    }

    @Test("The file is one that Chrome's tools read")
    func file() async throws {
        let project = try await TestProject(Self.script)
        let (_, profile) = try await project.runtime.profile(
            adapter: "A", procedure: "run", parameters: "[200000]", repeating: 5)
        let file = try JSONValue(parsing: profile.cpuProfile)
        let nodes = try #require(file["nodes"]?.array)
        let samples = try #require(file["samples"]?.array)
        #expect(samples.count == profile.sampleCount)
        #expect(file["timeDeltas"]?.array?.count == samples.count)
        let ids = Set(nodes.compactMap { $0["id"] })
        #expect(samples.allSatisfy(ids.contains))
        let children = nodes.flatMap { $0["children"]?.array ?? [] }
        #expect(children.allSatisfy(ids.contains))
        let hits = nodes.compactMap { $0["hitCount"]?.number }.reduce(0, +)
        #expect(hits == Double(samples.count))
        #expect(nodes[0]["callFrame"]?["functionName"] == "(root)")
        let run = try #require(nodes.first { $0["callFrame"]?["functionName"] == "run" })
        #expect(run["callFrame"]?["url"] == "adapters/A/A-impl.js")
        #expect(run["callFrame"]?["lineNumber"] == 1)
    }

    @Test("A call that fails is not repeated")
    func failing() async throws {
        let project = try await TestProject("function run() { throw new Error('no') }")
        let (result, profile) = try await project.runtime.profile(
            adapter: "A", procedure: "run", parameters: "[]", repeating: 100)
        #expect(!result.isSuccessful)
        #expect(profile.calls == 1)
    }

    @Test("A poll is profiled as well, in its own scope, until it fails")
    func poll() async throws {
        let project = try await TestProject(
            """
            var polls = 0;
            WL.Server.createEventSource({ name: 'S', poll: { interval: 1000, onPoll: 'look' } });
            WL.Server.createEventSource({ name: 'Quiet' });
            function look() { work(200000); if (++polls === 30) throw new Error('enough') }
            function work(rounds) { var s = 0; for (var i = 0; i < rounds; i++) s += Math.sqrt(i) % 7; return s }
            """)
        let source = EventSourceID(adapter: "A", name: "S")
        let (failure, profile) = try await project.runtime.profile(poll: source, repeating: 20)
        #expect(failure == nil)
        #expect(profile.calls == 20)
        // Its own or that of what it calls, as the engine may have put one into the other.
        let look = try #require(profile.hottest().first { $0.function.name == "look" })
        #expect(look.total > 90)
        #expect(look.function.text == "look  adapters/A/A-impl.js:4")
        let (reason, rest) = try await project.runtime.profile(poll: source, repeating: 20)
        #expect(reason?.contains("enough") == true)
        #expect(rest.calls == 10)
        await #expect(throws: UnknownNameError.self) {
            try await project.runtime.profile(poll: EventSourceID(adapter: "A", name: "Quiet"))
        }
    }

    @Test("What is not there is named")
    func unknown() async throws {
        let project = try await TestProject(Self.script)
        await #expect(throws: UnknownNameError.self) {
            try await project.runtime.profile(adapter: "B", procedure: "run", parameters: "[]")
        }
        await #expect(throws: UnknownNameError.self) {
            try await project.runtime.profile(adapter: "A", procedure: "walk", parameters: "[]")
        }
    }
}
