// What calls into adapters cost inside the process, each against a peer in the same run.
//
//     swift run -c release runtime-benchmark
import Foundation
import JavaScriptEngine

try EngineProcess.prepare()
let only = CommandLine.arguments.dropFirst().first
if only == nil || only == "queued" { try await QueuedCalls.measure() }
if only == nil || only == "awaited" { try await AwaitedCalls.measure() }
if only == nil || only == "scopes" { try await ScopeCost.measure() }
if only == nil || only == "blocked" { try await BlockedCalls.measure() }
if only == nil || only == "recordings" { Recordings.measure() }
if only == "realms" { try await Realms.measure() }
if only == "answers" { await Answers.run() }
if only == "machines" {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap(Double.init)
    try await MachineStress.run(seconds: numbers.first ?? 10, descriptors: numbers.dropFirst().first.map { Int($0) })
}
// Started by benchmarks/waiting-calls, which has the back end.
if only == "transfers" {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    try await IdleTransfers.measure(port: numbers.first ?? 0, count: numbers.dropFirst().first ?? 1)
}
// A peer for measuring over HTTP.
if only == "hello", let port = CommandLine.arguments.last.flatMap({ Int($0) }) { try await HelloServer.run(port: port) }
