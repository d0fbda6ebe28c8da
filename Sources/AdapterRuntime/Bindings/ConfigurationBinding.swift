import JavaScriptEngine
import WorklightProject

/// `WL.Server.configuration`: every key of worklight.properties (server-api 2.5).
extension AdapterScope {
    static func declareConfiguration(in table: inout BindingTable.Declarations) {
        // Of 8.0, which some adapters are half way to.
        table.add("getPropertyValue") { scope, call in
            scope.adapter.properties[try call[0].text()].map { call.context.make($0) } ?? call.context.null
        }
        table.addConstant("configuration") { scope in
            let configuration = scope.context.makeObject()
            for entry in scope.adapter.properties.entries {
                try configuration.set(entry.key, scope.context.make(entry.value), .readOnly)
            }
            return scope.context.freeze(configuration)
        }
    }
}
