public import Foundation
import JavaScriptEngine

/// A `Process` that may be run while other tests of this test process start the engine.
///
/// Preparing the engine sets an environment variable, which moves the environment in memory, while `Process.run` copies it:
/// that crashed now and then. So the engine is prepared first.
public func makeProcess() -> Process {
    try? EngineProcess.prepare()
    return Process()
}
