/// A column that an import reads, by its name in the header of a file in the documented columns.
public enum ImportField: String, CaseIterable, Sendable, Comparable {
    /// The `id` of the application's descriptor.
    case application
    /// The device's id.
    case device
    /// `Apple`, `Android`, `Windows`, `WindowsPhone` or `Web`, or a name of an environment or service. Without it, the token's form decides.
    case platform
    /// The token of the push service.
    case token
    /// The user's id.
    case user
    /// The realm in which the user was logged in.
    case realm
    /// The adapter of the event source, if ``eventSource`` has its bare name.
    case adapter
    /// `ADAPTER.EVENTSOURCE`. Without it, the row is a device that is not subscribed.
    case eventSource
    /// The app's name for the event source; by default the event source's own.
    case alias
    /// JSON: the options of the subscription.
    case options
    /// JSON: the adapter's state of the user's subscription.
    case state
    /// Tags, separated by `|`.
    case tags
    /// A phone number that is subscribed by SMS, in place of a device.
    case phoneNumber
    /// The `id` of the phone number's gateway in `SMSConfig.xml`.
    case gateway

    public static func < (left: ImportField, right: ImportField) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}
