import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("WL.Logger")
struct LoggerBindingTests {
    @Test("Each function has its level")
    func levels() async throws {
        let project = try await TestProject(
            "function run() { ['debug', 'info', 'warn', 'error', 'log'].forEach(function (l) { WL.Logger[l](l) }) }")
        _ = await project.call()
        let lines = project.log.lines.value.map { "\($0.level): \($0.message)" }
        #expect(lines == ["debug: debug", "info: info", "warning: warn", "error: error", "info: log"])
    }

    @Test("Objects are logged as JSON, everything else as a string")
    func values() async throws {
        let project = try await TestProject(
            "function run() { [{ a: [1] }, 5, null, undefined, true].forEach(function (v) { WL.Logger.info(v) }) }")
        _ = await project.call()
        #expect(project.log.messages(at: .info) == [#"{"a":[1]}"#, "5", "null", "undefined", "true"])
    }

    @Test("A cyclic object is still logged")
    func cyclic() async throws {
        let project = try await TestProject("function run() { var a = {}; a.a = a; WL.Logger.info(a) }")
        #expect(await project.call() == #"{"isSuccessful":true}"#)
        #expect(project.log.messages(at: .info) == ["[object Object]"])
    }

    @Test("A huge string is cut")
    func huge() async throws {
        let project = try await TestProject("function run() { WL.Logger.info(new Array(1e6).join('x')) }")
        _ = await project.call()
        let line = try #require(project.log.messages(at: .info).first)
        #expect(line.count < 17_000)
        #expect(line.hasSuffix("… (999999 characters)"))
    }

    @Test("console goes to the log as well")
    func console() async throws {
        let project = try await TestProject("function run() { console.warn('careful') }")
        _ = await project.call()
        #expect(project.log.messages(at: .warning) == ["careful"])
    }
}
