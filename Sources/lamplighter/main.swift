import CFatalSignals
import Foundation
import Installation
import JavaScriptEngine

// In a debug build, a developer gets the backtrace of Swift's runtime by its variable.
#if DEBUG
let wantsBacktrace = !ProcessInfo.processInfo.environment["SWIFT_BACKTRACE", default: ""].isEmpty
#else
let wantsBacktrace = false
#endif
if !wantsBacktrace { lamplighter_report_fatal_signals("lamplighter \(LamplighterCommand.version)") }
// Before anything else: see EngineProcess.
do {
    try EngineProcess.prepare()
} catch {
    CommandOutput.error("\(error)")
    exit(1)
}
// A client that closes the connection during a response must not end the process.
signal(SIGPIPE, SIG_IGN)
// SIGHUP makes a server reload, and must not end it before it listens.
if CommandLine.arguments.dropFirst().first == "serve" { signal(SIGHUP, SIG_IGN) }
exit(await LamplighterCommand.start())
