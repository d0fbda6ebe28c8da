/// What the sandbox stands in for.
public enum SandboxService: String, Sendable, CaseIterable {
    case apns, fcm, wns, sms, webPush
    /// The endpoints at which Google and Microsoft hand out access tokens.
    case oauth
}
