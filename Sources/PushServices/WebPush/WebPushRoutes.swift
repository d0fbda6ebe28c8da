import AsyncHTTPClient
import Delivery
import NIOCore
import PushModel

/// The ways to push services. Pages name their services, so each name is looked up once, its addresses are checked, and the
/// connection goes to a checked address: what the name leads to a moment later does not matter.
actor WebPushRoutes {
    /// How long a name's addresses hold.
    static let life = Duration.seconds(600)
    /// Connections to one address of a service. Confined to the actor.
    private final class Line {
        let client: HTTPClient
        let address: PublicAddress?
        var users = 0
        var isRetired = false
        /// When the name was last looked up.
        var since: Duration
        var lastUse: Duration

        init(client: HTTPClient, address: PublicAddress?, since: Duration) {
            self.client = client
            self.address = address
            self.since = since
            lastUse = since
        }
    }

    private let destination: WebPushDestination
    private let check: @Sendable ([UInt8]) -> PublicAddress?
    private let lookup: HostLookup
    private let time: any TimeSource
    private let most: Int
    private var lines: [String: Line] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - most: how many services are remembered.
    ///   - check: which addresses may be spoken to.
    init(
        _ destination: WebPushDestination, time: any TimeSource, most: Int = 64,
        lookup: @escaping HostLookup = HostAddresses.system,
        check: @escaping @Sendable ([UInt8]) -> PublicAddress? = { PublicAddress($0) }
    ) {
        self.destination = destination
        self.time = time
        self.most = most
        self.lookup = lookup
        self.check = check
    }

    /// A client must not just go, and a server that fails to start has nobody who would call ``close()``.
    isolated deinit {
        for line in lines.values { line.client.shutdown { _ in } }
    }

    /// Sends a request to a service.
    ///
    /// - Parameter host: the service's name.
    /// - Throws: ``HostLookupError``, ``BlockedHostError``, `CancellationError`, and what AsyncHTTPClient throws.
    func send(_ request: HTTPClientRequest, to host: String) async throws -> WebPushResponse {
        guard destination.isLookedUpHere else { return try await send(request, over: fixedLine()) }
        if let line = lines[host], time.uptime - line.since < Self.life {
            do {
                return try await send(request, over: line)
            } catch  where error.isConnectFailure {
                // It may have moved.
                retire(line, of: host)
            }
        }
        let addresses = try await addresses(of: host)
        for address in addresses.dropLast() {
            let line = try line(to: address, of: host)
            do {
                return try await send(request, over: line)
            } catch  where error.isConnectFailure {
                retire(line, of: host)
            }
        }
        return try await send(request, over: line(to: addresses[addresses.count - 1], of: host))
    }

    /// Ends all connections.
    func close() async {
        isClosed = true
        let all = lines.values.map(\.client)
        lines = [:]
        for client in all { try? await client.shutdown() }
    }

    /// - Returns: at least one.
    private func addresses(of host: String) async throws -> [PublicAddress] {
        let found = try await lookup(host)
        let allowed = found.compactMap(check)
        guard !allowed.isEmpty else {
            throw found.isEmpty
                ? HostLookupError(host: host, reason: "the name has none") : BlockedHostError(host: host)
        }
        return allowed
    }

    /// The line that there is, when it leads to that address, or a new one.
    private func line(to address: PublicAddress, of host: String) throws -> Line {
        if let line = lines[host] {
            if line.address == address {
                line.since = time.uptime
                return line
            }
            retire(line, of: host)
        }
        return try add(
            Line(client: try destination.client(for: host, at: address), address: address, since: time.uptime), of: host
        )
    }

    private func fixedLine() throws -> Line {
        if let line = lines[""] { return line }
        return try add(Line(client: try destination.client(), address: nil, since: time.uptime), of: "")
    }

    private func add(_ line: Line, of host: String) throws -> Line {
        guard !isClosed else {
            end(line)
            throw CancellationError()
        }
        if lines.count >= most, let oldest = lines.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            retire(oldest.value, of: oldest.key)
        }
        lines[host] = line
        return line
    }

    private func send(_ request: HTTPClientRequest, over line: Line) async throws -> WebPushResponse {
        line.users += 1
        line.lastUse = time.uptime
        defer {
            line.users -= 1
            if line.isRetired, line.users == 0 { end(line) }
        }
        return try await WebPushResponse(try await line.client.execute(request, deadline: .distantFuture))
    }

    /// Takes no more requests over a line; it ends with its last answer.
    private func retire(_ line: Line, of host: String) {
        guard !line.isRetired else { return }
        line.isRetired = true
        if lines[host] === line { lines[host] = nil }
        if line.users == 0 { end(line) }
    }

    private func end(_ line: Line) {
        let client = line.client
        Task { try? await client.shutdown() }
    }
}

/// A service whose name leads only to addresses that nobody outside could mean.
struct BlockedHostError: Error, CustomStringConvertible {
    let host: String

    var description: String {
        "\(host) leads to an address of this machine, of a private network or of another special use, where no push service is"
    }
}
