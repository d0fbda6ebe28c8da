import JavaScriptEngine
import WorklightProject

/// `WL.Server.configuration`: every key of worklight.properties (server-api 2.5).
extension AdapterScope {
    func installConfiguration(in object: ScriptValue) throws {
        let configuration = context.makeObject()
        for entry in adapter.properties.entries {
            try configuration.set(entry.key, context.make(entry.value), .readOnly)
        }
        try object.set("configuration", configuration, [.readOnly, .permanent])
    }
}
