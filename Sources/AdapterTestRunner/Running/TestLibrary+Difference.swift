import JavaScriptEngine
import LamplighterTesting

extension TestLibrary {
    /// The lines in which two texts differ; nothing when they do not.
    static func difference(_ call: HostCall) throws -> ScriptValue {
        let difference = LineDifference.between(expected: try call[0].text(), found: try call[1].text())
        return difference.map { call.context.make($0) } ?? call.context.undefined
    }
}
