/// The realms that every Worklight server has (server-api 5.3).
public enum BuiltInRealm: String, Sendable, Hashable, CaseIterable {
    /// Proves that a request is not a forgery: a header repeats the session's instance id.
    case antiXSRF = "wl_antiXSRFRealm"
    /// Proves that the version of the application is not blocked.
    case remoteDisable = "wl_remoteDisableRealm"
    /// The device's identity, as the device reports it.
    case deviceNoProvisioning = "wl_deviceNoProvisioningRealm"
    /// The device's identity by a certificate. Asked as ``deviceNoProvisioning``: no project can have the certificates of
    /// devices that IBM's server issued.
    case deviceAutoProvisioning = "wl_deviceAutoProvisioningRealm"
    /// Proves that the application is unmodified. Only IBM's servers could check this (wire-protocol 3.1), so all clients pass.
    case authenticity = "wl_authenticityRealm"
    /// New web resources for hybrid applications, which come from IBM's build tools; never offered.
    case directUpdate = "wl_directUpdateRealm"
    /// A user by the cookie that every client has.
    case anonymousUser = "wl_anonymousUserRealm"
}
