import JavaScriptEngine
import WorklightProject

/// `WL.Server.configuration`: every key of worklight.properties (server-api 2.5).
extension AdapterScope {
    func installConfiguration(in object: ScriptValue) throws {
        let configuration = context.makeObject()
        for entry in adapter.properties.entries {
            try configuration.set(entry.key, context.make(entry.value), .readOnly)
        }
        // Of 8.0, which some adapters are half way to.
        try add("getPropertyValue", to: object) { scope, call in
            scope.adapter.properties[try call[0].text()].map { call.context.make($0) } ?? call.context.null
        }
        try object.set("configuration", configuration, [.readOnly, .permanent])
    }
}
