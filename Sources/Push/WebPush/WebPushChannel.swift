extension PushCredentialSettings {
    public struct WebPush: Sendable, Hashable {
        /// Whom a push service may write to: `mailto:` or `https:`.
        public var contact: String?
        public var endpoint: ServiceEndpoint?
    }
}
