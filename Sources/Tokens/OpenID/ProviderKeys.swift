import Foundation

/// A provider's keys: fetched when they are needed, and kept.
actor ProviderKeys {
    /// The lifetime of keys that came without, with a very short, or with a very long `max-age`.
    static let keptFor = (
        byDefault: Duration.seconds(3600), atLeast: Duration.seconds(300), atMost: Duration.seconds(86_400)
    )
    /// The least time between two fetches, when a token names an unknown key, a signature does not match, or the provider was down.
    static let pause = Duration.seconds(60)
    /// The same, as long as there are no keys at all.
    static let pauseWithoutKeys = Duration.seconds(5)

    private struct CachedKeys {
        let keys: [ProviderKey]
        let until: Date
    }

    /// A key, and the fetch that brought it.
    struct Choice {
        let key: ProviderKey
        fileprivate let fetch: Int
    }

    private let settings: OpenIDSettings
    private let fetcher: ProviderFetcher
    private let clock: @Sendable () -> Date
    private var kept: CachedKeys?
    /// The number of fetches that have brought keys.
    private var fetches = 0
    private var lastFetch: (began: Date, failure: ProviderError?)?
    private var running: Task<Void, Never>?

    init(settings: OpenIDSettings, fetcher: ProviderFetcher, clock: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.fetcher = fetcher
        self.clock = clock
    }

    /// The key for a token's header.
    ///
    /// Keys that are out of date or lack the one asked for are fetched again. When that fails, the old ones are used
    /// on.
    ///
    /// - Throws: ``TokenError/unknownKey(_:)``; ``ProviderError`` when there never were any keys.
    func key(for header: CompactJWS.Header) async throws -> Choice {
        if isFresh, let choice = choose(for: header) { return choice }
        try await refresh()
        guard let choice = choose(for: header) else { throw TokenError.unknownKey(header.keyID) }
        return choice
    }

    /// Returns the key for a token's header whose signature does not match `choice`: the provider may have changed its key without
    /// naming it, or under the same name.
    ///
    /// - Returns: nil when there are no newer keys, since the provider does not respond or was asked less than ``pause`` ago.
    /// - Throws: ``TokenError/unknownKey(_:)``.
    func newerKey(for header: CompactJWS.Header, than choice: Choice) async throws -> ProviderKey? {
        if fetches == choice.fetch { try await refresh() }
        guard fetches > choice.fetch else { return nil }
        guard let newer = choose(for: header) else { throw TokenError.unknownKey(header.keyID) }
        return newer.key
    }

    private var isFresh: Bool {
        guard let kept else { return false }
        return clock() < kept.until
    }

    /// A token that names no key gets one only if there is no choice (OpenID Connect Core 1.0, 10.1).
    private func choose(for header: CompactJWS.Header) -> Choice? {
        let fitting = (kept?.keys ?? []).filter {
            $0.serves(header.algorithm) && (header.keyID == nil || $0.id == header.keyID)
        }
        guard fitting.count == 1, let key = fitting.first else { return nil }
        return Choice(key: key, fetch: fetches)
    }

    /// Fetches the keys, unless that was tried a short while ago. All who ask meanwhile wait for the same fetch.
    private func refresh() async throws {
        if running == nil, isDue { running = Task { await fetch() } }
        await running?.value
        if kept == nil { throw lastFetch?.failure ?? ProviderError.unreachable("no response yet") }
    }

    private var isDue: Bool {
        guard let lastFetch else { return true }
        let passed = clock().timeIntervalSince(lastFetch.began)
        // The machine's clock may have been set back.
        return passed < 0 || passed >= (kept == nil ? Self.pauseWithoutKeys : Self.pause) / .seconds(1)
    }

    private func fetch() async {
        let began = clock()
        do throws(ProviderError) {
            kept = try await load()
            fetches += 1
            lastFetch = (began, nil)
        } catch {
            lastFetch = (began, error)
        }
        running = nil
    }

    private nonisolated func load() async throws(ProviderError) -> CachedKeys {
        let document = try await fetcher.fetch(try await keysURL())
        let keys = try JSONWebKeySet(json: document.body).keys
        let age = min(max(document.maxAge ?? Self.keptFor.byDefault, Self.keptFor.atLeast), Self.keptFor.atMost)
        return CachedKeys(keys: keys, until: clock().addingTimeInterval(age / .seconds(1)))
    }

    private nonisolated func keysURL() async throws(ProviderError) -> URL {
        if let url = settings.jwksURL { return url }
        guard let address = settings.discoveryURL else { throw ProviderError.answer("its issuer is not a URL") }
        let document = try await fetcher.fetch(address)
        return try DiscoveryDocument(json: document.body, from: address, issuer: settings.issuer).keysURL
    }
}
