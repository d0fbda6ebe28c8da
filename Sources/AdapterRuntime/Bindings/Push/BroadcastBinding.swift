import Core
import JavaScriptEngine
import Logging
import PushModel
import Tracing
import WorklightProject

/// `WL.Server.sendMessage`: a notification to devices, users, tags, platforms, or everybody who has the app (server-api 2.8).
extension AdapterScope {
    static func declareBroadcasts(in table: inout BindingTable.Declarations) {
        table.add("sendMessage") { scope, call in
            guard let application = call[0].string, !application.isEmpty else {
                throw HostError("sendMessage: expected the application's id first, got \(call[0].kind)")
            }
            guard call[1].isObject, let options = try scope.json(of: call[1], for: "sendMessage") else {
                throw HostError("sendMessage: expected the message's options second, an object, got \(call[1].kind)")
            }
            return call.context.make(Double(try scope.send(options, to: application)))
        }
    }

    /// - Returns: how many milliseconds to wait before the next.
    private func send(_ options: JSONValue, to application: String) throws -> Int {
        do {
            let message = try BroadcastMessage(options: options)
            for warning in message.warnings { warn("sendMessage: \(warning)") }
            if let tags = adapter.applicationTags[application] {
                try message.checkTags(tags)
            } else {
                adapter.log.warnOnce(
                    "application \(application)", to: logger,
                    atCall(
                        adapter.applicationTags.isEmpty
                            ? "sendMessage: the project has no application '\(application)', so its tags are not checked"
                            : "sendMessage: the project has no application '\(application)', so nobody gets the message"
                                + Suggestion.text(for: application, among: adapter.applicationTags.keys)))
            }
            let broadcast = Broadcast(message, applicationID: application, now: adapter.services.time.now)
            let span = adapter.services.tracer?.span("notify", in: table.call.caller.trace, ofKind: .producer)
            span?.addLink(.notification(broadcast.id))
            do {
                let delay = try adapter.services.broadcasts.send(broadcast)
                span?.end()
                return delay
            } catch {
                span?.end(failure: "not_stored")
                throw error
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw HostError("sendMessage: \(error)")
        }
    }
}
