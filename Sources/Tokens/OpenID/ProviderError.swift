/// Why the provider's keys cannot be had. It says nothing about the token: the same one may be fine a little later.
public enum ProviderError: Error, Equatable, CustomStringConvertible {
    /// It does not answer, or not in time. Says more.
    case unreachable(String)
    /// What it answers is not what was expected. Says more.
    case answer(String)

    public var description: String {
        switch self {
        case .unreachable(let why): "the OpenID Connect provider does not answer: \(why)"
        case .answer(let why): "the OpenID Connect provider's answer cannot be used: \(why)"
        }
    }
}
