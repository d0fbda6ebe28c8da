import Core
import Foundation
import Installation
import PushModel

extension ManagementAPI {
    static let activity = JSONSchema.object([
        .required("start", .time), .required("seconds", .count), .required("calls", .count),
        .required("failedCalls", .count),
        .required("errors", .count), .required("delivered", .count), .required("previewed", .count),
        .required("refused", .count), .required("expired", .count), .required("waiting", .count),
        .required("oldestDelivery", .number(0...Double.greatestFiniteMagnitude)),
        .required("pollLateness", .number(0...Double.greatestFiniteMagnitude)),
    ])

    /// Returns the activity of a range. The last interval has not ended: `seconds` is its length so far.
    func activity(_ range: ActivityRange) async throws -> JSONValue {
        let now = installation.time.now
        let since = now.timeIntervalSince1970 - Double(range.length)
        let start = since - since.truncatingRemainder(dividingBy: Double(range.interval))
        let items = try await runBlocking { [store] in
            try store.activity(
                range.resolution, since: Date(timeIntervalSince1970: start), interval: range.interval)
        }
        return [
            "range": .string(range.rawValue), "interval": .number(Double(range.interval)),
            "items": .array(
                items.map { start, activity in
                    let seconds = min(max(Int(now.timeIntervalSince(start)), 1), range.interval)
                    return activity.json(start: start, seconds: seconds)
                }),
        ]
    }
}

extension Activity {
    fileprivate func json(start: Date, seconds: Int) -> JSONValue {
        var object: JSONObject = ["start": .string(start.spelling), "seconds": .number(Double(seconds))]
        for (name, count) in [
            ("calls", calls), ("failedCalls", failedCalls), ("errors", errors), ("delivered", delivered),
            ("previewed", previewed), ("refused", refused), ("expired", expired), ("waiting", waiting),
        ] {
            object[name] = .number(Double(count))
        }
        object["oldestDelivery"] = .number((oldestDelivery * 10).rounded() / 10)
        object["pollLateness"] = .number((pollLateness * 10).rounded() / 10)
        return .object(object)
    }
}
