import AdapterRuntime
import Authentication
import Logging
import PushModel

/// Keeps what clients tell of their surroundings, for `WL.Server.getClientDeviceContext` (location services, 6.0).
extension WireServer {
    /// The longest text that is read, in bytes.
    private static let longestContext = 65_536

    func takeDeviceContext(_ exchange: Exchange) {
        if let text = exchange.fields["__wl_deviceCtx"] {
            takePackedContext(text, exchange.session)
        } else if let text = exchange.fields["__wl_deviceCtxDelta"] {
            takeContextChanges(text, exchange)
        }
    }

    /// Clients as of 6.1 send the whole context with each request. One that cannot be read leaves `null`.
    private func takePackedContext(_ text: String, _ session: ServerSession) {
        do {
            guard text.utf8.count <= Self.longestContext else {
                throw DeviceContextError("it is longer than \(Self.longestContext) bytes")
            }
            let packed = try PackedDeviceContext(text)
            // Requests that are under way together may arrive in another order.
            guard session.isNewest(context: packed.session, version: packed.version) else { return }
            session.client.deviceContext = packed.context.map { .object($0) }
        } catch {
            logger.debug("a device context cannot be read: \(error)")
            session.client.deviceContext = nil
        }
    }

    /// Clients of 6.0 send changes to what they sent before: `updates` and `deletions`. A client that begins again says so with
    /// another session text.
    private func takeContextChanges(_ text: String, _ exchange: Exchange) {
        guard text.utf8.count <= Self.longestContext, let delta = (try? JSONValue(parsing: text))?.object else {
            logger.debug(
                "a device context cannot be read: expected a JSON object of \(Self.longestContext) bytes at most")
            return
        }
        let client = exchange.session.client
        let isSame = exchange.fields["__wl_deviceCtxSession"].map { exchange.session.continues(context: $0) } ?? true
        var context = isSame ? client.deviceContext?.object ?? JSONObject() : JSONObject()
        for member in delta["updates"]?.object?.members ?? [] { context[member.key] = member.value }
        for key in delta["deletions"]?.array ?? [] { key.string.map { context[$0] = nil } }
        guard context.members.count <= 100 else { return }
        client.deviceContext = .object(context)
    }
}
