/// What a new adapter is for.
public enum AdapterKind: String, Sendable, Hashable, CaseIterable {
    /// Notifies users on their devices.
    case push
    /// Asks a back end over HTTP.
    case http
    /// Keeps something in a database.
    case sql
    /// Neither: a procedure that answers by itself.
    case plain
}
