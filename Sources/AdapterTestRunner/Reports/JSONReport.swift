import Core
import JavaScriptEngine

/// The report as one JSON object.
enum JSONReport {
    static func report(_ run: RunOutcome) -> String {
        let value: JSONValue = [
            "isSuccessful": .bool(run.isSuccessful), "passed": .number(Double(run.count(.passed))),
            "failed": .number(Double(run.count(.failed))), "skipped": .number(Double(run.count(.skipped))),
            "todo": .number(Double(run.count(.todo))), "milliseconds": milliseconds(run.duration),
            "files": .array(run.files.map(file)),
        ]
        return value.prettyText + "\n"
    }

    private static func file(_ outcome: FileOutcome) -> JSONValue {
        [
            "file": .string(outcome.file.path), "adapter": .string(outcome.file.adapter),
            "failure": outcome.failure.map(failure) ?? .null, "tests": .array(outcome.tests.map(test)),
        ]
    }

    private static func test(_ test: TestOutcome) -> JSONValue {
        [
            "names": .array(test.names.map { .string($0) }), "status": .string(test.status.rawValue),
            "milliseconds": milliseconds(test.duration), "failures": .array(test.failures.map(failure)),
            "output": .array(test.output.map { .string($0) }), "log": .array(test.log.map { .string($0) }),
        ]
    }

    private static func failure(_ failure: TestFailureError) -> JSONValue {
        var object: JSONObject = ["message": .string(failure.message)]
        object["file"] = failure.place.map { .string($0.file) } ?? .null
        object["line"] = failure.place.map { .number(Double($0.line)) } ?? .null
        object["column"] = failure.place?.column.map { .number(Double($0)) } ?? .null
        object["stack"] = .array(failure.stack.map { .string($0) })
        return .object(object)
    }

    private static func milliseconds(_ duration: Duration) -> JSONValue {
        .number((duration / .milliseconds(1) * 1000).rounded() / 1000)
    }
}
