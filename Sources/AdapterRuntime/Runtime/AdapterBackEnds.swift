import BackEndHTTP
import Core
import Databases
import Foundation
import Logging
import Synchronization
import WorklightProject

/// An adapter's connections to its back end, opened when a script first needs them.
final class AdapterBackEnds: Sendable {
    private struct State {
        var http: Result<HTTPBackEnd, BackEndSecurityError>?
        var sql: Result<SQLDataSource, SQLConfigurationError>?
        var isInterrupted = false
        var statuses: [BackEndStatus.Kind: BackEndStatus] = [:]
        /// The back ends to which a connection is being tried.
        var tried: Set<BackEndStatus.Kind> = []

        func close() {
            try? http?.get().close()
            try? sql?.get().close()
        }

        func interrupt() {
            try? http?.get().interrupt()
            try? sql?.get().interrupt()
        }
    }

    private let descriptor: AdapterDescriptor
    private let properties: WorklightProperties
    private let project: URL
    private let dataFolder: URL?
    private let maximumResponseSize: Int
    private let redirectHosts: Set<String>
    private let allowsLegacyTLS: Bool
    private let exactNumbers: Bool
    private let standIns: (any BackEndStandIns)?
    private let logger: Logger
    private let state = Mutex(State())

    init(
        descriptor: AdapterDescriptor, properties: WorklightProperties, project: URL, dataFolder: URL?,
        maximumResponseSize: Int, redirectHosts: Set<String>,
        allowsLegacyTLS: Bool, exactNumbers: Bool, standIns: (any BackEndStandIns)?, logger: Logger
    ) {
        self.descriptor = descriptor
        self.properties = properties
        self.project = project
        self.dataFolder = dataFolder
        self.maximumResponseSize = maximumResponseSize
        self.redirectHosts = redirectHosts
        self.allowsLegacyTLS = allowsLegacyTLS
        self.exactNumbers = exactNumbers
        self.standIns = standIns
        self.logger = logger
    }

    /// The last call of a version that was replaced may end on any thread; the connections are closed on another one.
    deinit {
        let state = state.withLock { $0 }
        guard state.http != nil || state.sql != nil else { return }
        ThreadPool.shared.submit { state.close() }
    }

    /// - Throws: ``BackEndSecurityError``.
    func http(_ policy: HTTPConnectionPolicy) throws(BackEndSecurityError) -> HTTPBackEnd {
        try state.withLock { state in
            let result = state.http ?? Result { () throws(BackEndSecurityError) in try makeHTTP(policy) }
            state.http = result
            if state.isInterrupted { state.interrupt() }
            return result
        }.get()
    }

    /// - Throws: ``SQLConfigurationError``.
    func sql(_ policy: SQLConnectionPolicy) throws(SQLConfigurationError) -> SQLDataSource {
        try state.withLock { state in
            let result = state.sql ?? Result { () throws(SQLConfigurationError) in try makeSQL(policy) }
            state.sql = result
            if state.isInterrupted { state.interrupt() }
            return result
        }.get()
    }

    /// Counts a request to the back end.
    ///
    /// - Parameter failure: why the back end did not respond; `nil` when it did.
    func note(_ kind: BackEndStatus.Kind, failure: BackEndOutage?, at date: Date) {
        state.withLock { state in
            state.statuses[kind, default: BackEndStatus(adapter: descriptor.name, kind: kind)]
                .note(failure: failure, at: date)
        }
    }

    /// Tries a connection to the back end on another thread, unless one is being tried. Nothing is sent but what connecting needs.
    ///
    /// - Parameter limit: the longest wait.
    func tryConnection(_ kind: BackEndStatus.Kind, within limit: Duration, on threads: ThreadPool, time: any TimeSource)
    {
        guard state.withLock({ $0.tried.insert(kind).inserted }) else { return }
        threads.submit { [weak self] in
            let result = self?.connect(kind, within: limit)
            self?.state.withLock { state in
                state.tried.remove(kind)
                guard let result else { return }
                state.statuses[kind, default: BackEndStatus(adapter: self?.descriptor.name ?? "", kind: kind)]
                    .note(connection: result, at: time.now)
            }
        }
    }

    /// - Returns: `nil` if the adapter has no such back end.
    private func connect(_ kind: BackEndStatus.Kind, within limit: Duration) -> ConnectionTrial? {
        let failure: String?
        do {
            switch (kind, descriptor.connectivity) {
            case (.http, .http(let policy)): failure = try http(policy).connect(within: limit)
            case (.sql, .sql(let policy)): failure = try sql(policy).connect(within: limit)
            default: return nil
            }
        } catch {
            return ConnectionTrial(failure: "\(error)")
        }
        return ConnectionTrial(failure: failure)
    }

    /// The outcomes of the requests so far.
    var statuses: [BackEndStatus] {
        let statuses = state.withLock(\.statuses)
        return BackEndStatus.Kind.allCases.compactMap { statuses[$0] }
    }

    /// Ends the waits of all calls, for a server that stops.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.interrupt()
        }
    }

    /// Closes all connections. Blocks until that is done; not for event loops.
    func close() {
        let state = state.withLock { state in
            defer { (state.http, state.sql) = (nil, nil) }
            return state
        }
        state.close()
    }

    /// Certificates are files of the project: `server/conf/certificates/ALIAS.pem` with the certificate, those between it and
    /// its root, and the key; `server/conf/certificates/trusted.pem` with the roots to trust instead of the system's.
    private func makeHTTP(_ policy: HTTPConnectionPolicy) throws(BackEndSecurityError) -> HTTPBackEnd {
        let folder = project.appending(path: "server/conf/certificates")
        var security = BackEndSecurity(allowsLegacyTLS: allowsLegacyTLS)
        if let alias = policy.sslCertificateAlias {
            let file = folder.appending(path: "\(alias).pem").path
            if FileManager.default.fileExists(atPath: file) {
                security.clientCertificate = .init(
                    chainFile: file, keyFile: file, keyPassword: policy.sslCertificatePassword)
            }
        }
        let roots = folder.appending(path: "trusted.pem").path
        if FileManager.default.fileExists(atPath: roots) { security.trustRootsFile = roots }
        return try HTTPBackEnd(
            policy: policy, security: security,
            adapterFolder: project.appending(path: descriptor.path).deletingLastPathComponent(),
            maximumResponseSize: maximumResponseSize, redirectHosts: redirectHosts,
            standIn: standIns?.http(for: descriptor.name))
    }

    private func makeSQL(_ policy: SQLConnectionPolicy) throws(SQLConfigurationError) -> SQLDataSource {
        if let standIn = try standIns?.database(for: descriptor.name) { return standIn }
        var policy = policy
        if case .jndiName(let name) = policy.source, let definition = properties.dataSource(jndiName: name) {
            policy.source = .definition(definition)
        }
        return try SQLDataSource(
            policy: policy, adapter: descriptor.name, folder: project, forbidden: dataFolder,
            maximumResultSize: maximumResponseSize, exactNumbers: exactNumbers, logger: logger)
    }
}
