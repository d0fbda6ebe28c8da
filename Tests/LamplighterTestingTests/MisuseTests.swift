import Foundation
import LamplighterTesting
import TestSupport
import Testing

@Suite("A harness that is used as none can be")
struct MisuseTests {
    private static let script = """
        WL.Server.createEventSource({ name: "S", onDeviceSubscribe: "come" });
        function get() { return WL.Server.invokeHttp({ method: "get", path: "/x" }); }
        """

    private static let application = """
        <application id="Shop" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>Shop</displayName>
            <tags><tag><name>sale</name><description>Sales</description></tag></tags>
        </application>
        """

    private func harness(_ adapters: String...) async throws -> AdapterHarness {
        var files = ["apps/Shop/application-descriptor.xml": Self.application]
        for name in adapters { files.merge(AdapterText(name: name, script: Self.script).files) { $1 } }
        return try await AdapterHarness(files: files)
    }

    private func misuse(_ body: () async throws -> Void) async throws -> String {
        try await #require(throws: HarnessMisuseError.self) { try await body() }.message
    }

    @Test("a stub of an unknown adapter fails the next call, with the stub's line")
    func stubOfNobody() async throws {
        let harness = try await harness("A")
        let (line, _) = (#line, harness.backEnd("B").get("/x", .json([:])))
        let misuse = try await #require(throws: HarnessMisuseError.self) { try await harness.reply("get") }
        #expect(misuse.description.hasPrefix("LamplighterTestingTests/MisuseTests.swift:\(line): "))
        #expect(misuse.message == "the project has no adapter 'B'; there are: A")
    }

    @Test("A stub that can never respond fails the next call")
    func uselessStub() async throws {
        let one = try await harness("A")
        one.backEnd().get("/x?y=1", .json([:]))
        #expect(
            try await misuse { _ = try await one.reply("get") }.contains("expected a path without a query, got /x?y=1"))
        let two = try await harness("A")
        two.backEnd().forward(to: try #require(URL(string: "ftp://127.0.0.1/x")))
        #expect(try await misuse { try await two.advance(by: .seconds(1)) }.contains("expected an address such as"))
    }

    @Test("A stub of a harness that reaches the real back ends fails what comes next")
    func realBackEnds() async throws {
        var options = AdapterHarness.Options()
        options.usesRealBackEnds = true
        let harness = try await AdapterHarness(adapter: "A", script: Self.script, options: options)
        harness.backEnd().get("/x", .json([:]))
        #expect(try await misuse { try await harness.call("get") }.contains("nothing asks the stub of A"))
    }

    @Test("A project with several adapters needs the adapter's name")
    func several() async throws {
        let harness = try await harness("A", "B")
        let expected = "no adapter is named, and the project has several: A, B"
        #expect(try await misuse { try await harness.call("get") }.contains(expected))
        #expect(try await misuse { _ = try await harness.evaluate("1") }.contains(expected))
        #expect(try await misuse { try await harness.user("ann").device("d").subscribe(to: "S") }.contains(expected))
    }

    @Test("The adapter in the options must be one of the project")
    func options() async throws {
        let message = try await misuse {
            _ = try await AdapterHarness(adapter: "A", script: Self.script, options: .adapter("B"))
        }
        #expect(message == "the project has no adapter 'B'; there are: A")
    }

    @Test("Only an adapter with an SQL back end has a database")
    func database() async throws {
        let harness = try await harness("A")
        #expect(try await misuse { _ = try harness.database() }.contains("A has no SQL back end"))
        #expect(try await misuse { _ = try harness.database("B") }.contains("no adapter 'B'"))
    }

    @Test("a database of a released harness reports that the harness is gone")
    func keptDatabase() async throws {
        let database = try await AdapterHarness(adapter: "A", script: Self.script, connection: .sql).database()
        #expect(try await misuse { try database.execute("select 1") }.contains("the harness of this database is gone"))
    }

    @Test("Applications, tags and event sources must be the project's, and a user must be logged in")
    func people() async throws {
        let harness = try await harness("A")
        let ann = harness.user("ann")
        #expect(
            try await misuse { try ann.device("d", application: "Shpo").register() }
                == "the project has no application 'Shpo'; there are: Shop")
        #expect(
            try await misuse { try ann.device("d").subscribe(toTag: "sael") }
                == "apps/Shop/application-descriptor.xml declares no tag 'sael'; there are: sale")
        #expect(try await misuse { try await ann.device("d").subscribe(to: "T") }.contains("there are: A.S"))
        #expect(try await misuse { try await ann.device("d").unsubscribe(from: "T") }.contains("there are: A.S"))
        #expect(
            try await misuse { try await harness.client().device("d").subscribe(to: "S") }.contains(
                "nobody is logged in"))
    }

    @Test("A callback that names no function fails the subscription, unless failures are tolerated")
    func missingCallback() async throws {
        let harness = try await harness("A")
        let device = harness.user("ann").device("d")
        let failure = try await #require(throws: CallbackError.self) { try await device.subscribe(to: "S") }
        #expect(failure.message.contains("onDeviceSubscribe names 'come', but there is no such function"))
        try await device.subscribe(to: "S", toleratingFailures: true)
    }

    private static let file = "LamplighterTestingTests/MisuseTests.swift"
    private static let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    private static let shortest = Duration(secondsComponent: .min, attosecondsComponent: 0)

    @Test("Time does not go back, nor on for ages", arguments: [.seconds(-1), shortest, .seconds(2e9), longest])
    func time(duration: Duration) async throws {
        let harness = try await harness("A")
        let reason = duration < .zero ? "time cannot go back" : "time cannot go on"
        #expect(try await misuse { try await harness.advance(by: duration) }.hasPrefix(reason))
        #expect(harness.clock.elapsed == 0)
        #expect(
            try await misuse { _ = try await harness.sent(atLeast: 1, within: duration) }.contains("0 to 1e9 seconds"))
    }

    @Test(
        "A clock that is moved where none can be fails what comes next, and names the line",
        arguments: [.seconds(-1), longest])
    func clock(duration: Duration) async throws {
        let harness = try await harness("A")
        let (line, _) = (#line, harness.clock.advance(by: duration))
        #expect(harness.clock.elapsed == 0)
        let misuse = try await #require(throws: HarnessMisuseError.self) { try await harness.advance(by: .seconds(1)) }
        #expect(misuse.description.hasPrefix("\(Self.file):\(line): time cannot go "))
    }

    @Test("An invalid time of day is refused", arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func timeOfDay(seconds: Double) async throws {
        let harness = try await harness("A")
        let (line, _) = (#line, harness.clock.setClock(forwardBy: seconds))
        let misuse = try await #require(throws: HarnessMisuseError.self) { try await harness.reply("get") }
        #expect(misuse.description.hasPrefix("\(Self.file):\(line): harness.clock.setClock: "))
        var options = AdapterHarness.Options()
        options.start = Date(timeIntervalSince1970: seconds)
        #expect(
            try await self.misuse { _ = try await AdapterHarness(adapter: "A", script: "", options: options) }
                .hasPrefix("options.start: "))
    }

    @Test("The machine's clock may be set back")
    func setBack() async throws {
        let harness = try await harness("A")
        harness.clock.setClock(forwardBy: -3600)
        #expect(harness.clock.now == ManualTime.start.addingTimeInterval(-3600))
        #expect(try await harness.evaluate("Date.now()") == .number(1_700_000_000_000 - 3_600_000))
    }

    @Test("rejects a stub with an unknown HTTP method or status")
    func statusAndMethod() async throws {
        let harness = try await harness("A")
        harness.backEnd().get("/x", .status(42))
        let failure = try await #require(throws: CallError.self) { try await harness.call("get") }
        #expect(failure.message.contains("the stub of GET /x returned the status 42: expected 100 to 599"))
        let (line, _) = (#line, harness.backEnd().on("FETCH", "/x", .json([:])))
        let misuse = try await #require(throws: HarnessMisuseError.self) { try await harness.call("get") }
        #expect(misuse.description.hasPrefix("\(Self.file):\(line): a back end's stub: 'FETCH' is not a method"))
    }

    @Test("A project that cannot be loaded names the line that uses it")
    func loading() async throws {
        let broken = AdapterText(name: "A", script: "function (", procedures: []).files
        let read = try await HarnessProject(reading: TemporaryFolder(broken).url)
        let makers: [(Int, () async throws -> AdapterHarness)] = [
            (#line, { try await AdapterHarness(adapter: "A", script: "function (", procedures: []) }),
            (#line, { try await AdapterHarness(files: broken) }), (#line, { try await AdapterHarness(read) }),
            (#line, { try await AdapterHarness(project: TemporaryFolder(broken).url) }),
        ]
        for (line, make) in makers {
            let error = try await #require(throws: HarnessLoadingError.self) { _ = try await make() }
            #expect(error.description.hasPrefix("\(Self.file):\(line): the project cannot be loaded:\n"), "\(error)")
        }
        let (line, misuse) = (#line, await failure { _ = try await AdapterHarness(files: [:], options: .adapter("B")) })
        #expect(misuse.hasPrefix("\(Self.file):\(line): "), "\(misuse)")
    }

    private func failure(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return ""
        } catch {
            return "\(error)"
        }
    }
}
