import Foundation
import JavaScriptEngine

#if !DEBUG
CrashTrace.shorten()
#endif
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
