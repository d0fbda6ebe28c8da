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
// A client that goes away while it is being answered is no reason to end.
signal(SIGPIPE, SIG_IGN)
// A server is told to reload by SIGHUP, which must not end it before it listens.
if CommandLine.arguments.dropFirst().first == "serve" { signal(SIGHUP, SIG_IGN) }
exit(await LamplighterCommand.start())
