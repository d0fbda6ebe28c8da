/// What gateways of telephone networks call (server-api 2.9).
enum PhoneGatewayService: String, Sendable, Hashable, CaseIterable {
    /// A text message has come in from a phone.
    case receiveSMS
    /// Somebody without an application wants text messages, or no more of them.
    case subscribeSMS
    /// A step of a USSD dialogue.
    case ussd
}
