import AdapterRuntime
import Authentication
import Core
import Installation
import Logging

/// Keeps the position and the networks that clients send, for `WL.Server.getClientDeviceContext` (location services, 6.0).
extension ClientProtocolHandler {
    /// The longest context that is read, in bytes.
    private static let longestContext = 65_536
    /// The largest context that a session keeps, in bytes of memory: a few hundred networks.
    private static let largestContext = 65_536
    /// The longest name of a client's run, in bytes.
    private static let longestRun = 256

    func takeDeviceContext(_ exchange: ClientRequestContext) {
        if let text = exchange.fields["__wl_deviceCtx"] {
            takePackedContext(text, exchange)
        } else if let text = exchange.fields["__wl_deviceCtxDelta"] {
            takeContextChanges(text, exchange)
        }
    }

    /// Clients as of 6.1 send the whole context with each request. One that cannot be read leaves `null`.
    private func takePackedContext(_ text: String, _ exchange: ClientRequestContext) {
        let session = exchange.session
        do {
            guard text.utf8.count <= Self.longestContext else {
                throw DeviceContextError("it is longer than \(Self.longestContext) bytes", limit: Self.lengthLimit)
            }
            let packed = try PackedDeviceContext(text)
            let context = packed.context.map { JSONValue.object($0) }
            let size = try Self.size(of: context)
            // Requests that are under way together may arrive in another order.
            guard session.isNewest(context: packed.session, version: packed.version) else { return }
            try keep(context, size, exchange)
        } catch {
            noteUnread(error, exchange)
            _ = session.setDeviceContext(
                nil, size: 0, at: exchange.call.network, within: security.deviceContexts)
        }
    }

    /// Clients of 6.0 send changes to the context that they sent before: `updates` and `deletions`. A client that begins again sends another session
    /// string. Changes that cannot be read, or after which the context would be too large, are ignored.
    private func takeContextChanges(_ text: String, _ exchange: ClientRequestContext) {
        let (run, client) = (exchange.fields["__wl_deviceCtxSession"], exchange.session.client)
        do {
            let expectation = "expected a JSON object of at most \(Self.longestContext) bytes"
            guard text.utf8.count <= Self.longestContext else {
                throw DeviceContextError(expectation, limit: Self.lengthLimit)
            }
            guard run?.utf8.count ?? 0 <= Self.longestRun, let delta = (try? JSONValue(parsing: text))?.object else {
                throw DeviceContextError(expectation)
            }
            let isSame = run.map { exchange.session.continues(context: $0) } ?? true
            var context = isSame ? client.deviceContext?.object ?? JSONObject() : JSONObject()
            let updates = delta["updates"]?.object?.members ?? []
            guard updates.count <= Self.mostMembers else { throw Self.tooManyMembers }
            for member in updates { context[member.key] = member.value }
            for key in delta["deletions"]?.array ?? [] { key.string.map { context[$0] = nil } }
            guard context.members.count <= Self.mostMembers else { throw Self.tooManyMembers }
            try keep(.object(context), try Self.size(of: .object(context)), exchange)
        } catch {
            noteUnread(error, exchange)
        }
    }

    private static let mostMembers = 100
    private static let tooManyMembers = DeviceContextError(
        "it has more than \(mostMembers) members", limit: "members of a device context")
    private static let lengthLimit = "length of a device context"

    private func noteUnread(_ error: any Error, _ exchange: ClientRequestContext) {
        logger.debug("a device context cannot be read: \(error)")
        guard let limit = (error as? DeviceContextError)?.limit else { return }
        security.log.reached(limit, by: exchange.call.address, at: .notice, "ignored a device context")
    }

    private static func size(of context: JSONValue?) throws(DeviceContextError) -> Int {
        let size = context?.memorySize ?? 0
        guard size <= largestContext else {
            throw DeviceContextError(
                "it takes more than \(largestContext) bytes of memory", limit: "size of a device context")
        }
        return size
    }

    private func keep(_ context: JSONValue?, _ size: Int, _ exchange: ClientRequestContext) throws(DeviceContextError) {
        guard
            exchange.session.setDeviceContext(
                context, size: size, at: exchange.call.network, within: security.deviceContexts)
        else {
            security.log.reached(
                "memory for device contexts of sessions without a user", by: exchange.call.address,
                "a device context was not kept")
            throw DeviceContextError("the contexts of sessions without a user take too much memory")
        }
    }
}

extension JSONValue {
    /// About the bytes of memory that the value takes, with 64 for each value and each member.
    fileprivate var memorySize: Int {
        switch self {
        case .null, .bool, .number: 64
        case .string(let text): 64 + text.utf8.count
        case .array(let elements): elements.reduce(64) { $0 + $1.memorySize }
        case .object(let object): object.members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.memorySize }
        }
    }
}
