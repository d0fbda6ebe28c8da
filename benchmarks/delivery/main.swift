// Measures the outbox. Run by hand, in a release build: see benchmarks/README.md.

let measurements: [String: () async throws -> Void] = [
    "queue": Queueing.measure,
    "drain": Draining.measure,
    "worker": WorkerRun.measure,
    "waiting": Waiting.measure,
    "mediator": Pushing.mediator,
    "fcm": Pushing.fcm,
    "whole": Pushing.whole,
    "lists-prepare": Listing.prepare,
    "lists": Listing.measure,
    "postgresql-batches": PostgreSQLRun.batches,
    "postgresql-steady": PostgreSQLRun.steady,
    "postgresql-broadcast": PostgreSQLRun.broadcast,
]
guard CommandLine.arguments.count == 2, let measure = measurements[CommandLine.arguments[1]] else {
    print("usage: delivery-benchmark \(measurements.keys.sorted().joined(separator: "|"))")
    throw ExitError()
}
try await measure()

struct ExitError: Error {}
