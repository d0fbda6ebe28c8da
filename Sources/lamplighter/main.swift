import Foundation
import JavaScriptEngine

#if !DEBUG
CrashTrace.shorten()
#endif
// Before anything else: see EngineProcess.
do {
    try EngineProcess.prepare()
} catch {
    Console.error("\(error)")
    exit(1)
}
// A client that goes away while it is being answered is no reason to end.
signal(SIGPIPE, SIG_IGN)
exit(await LamplighterCommand.start())
