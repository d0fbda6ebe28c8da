import Synchronization

/// Records texts in the arguments of logins that are not user names: different users have logged in with the same text in the
/// same place.
///
/// The place is what makes it safe: where a procedure reads the user's name, a text is the name of one user. Users without an
/// account of this server's teach nothing, since only logins with the user's own id among the texts do.
final class SharedTexts: Sendable {
    private struct Place: Hashable {
        let procedure: String
        let path: Int
        let text: String
    }

    private struct State {
        /// Texts with which one user has logged in.
        var single: [Place: String] = [:]
        var shared: Set<Place> = []
    }

    /// The capacity of each table; a table that exceeds it is emptied.
    private static let most = 10_000

    private let state = Mutex(State())

    func contains(_ name: LoginArguments.Name, of procedure: String) -> Bool {
        let place = Place(procedure: procedure, path: name.path, text: name.text)
        return state.withLock { $0.shared.contains(place) }
    }

    /// Learns from a login that has succeeded.
    ///
    /// - Parameter users: who has logged in.
    func note(_ names: [LoginArguments.Name], of procedure: String, by users: [String]) {
        let users = users.map { $0.lowercased() }
        guard let user = users.first(where: { user in names.contains { $0.text.lowercased() == user } }) else { return }
        state.withLock { state in
            if state.single.count > Self.most { state.single = [:] }
            if state.shared.count > Self.most { state.shared = [] }
            for name in names where !name.isUser && name.text.lowercased() != user {
                let place = Place(procedure: procedure, path: name.path, text: name.text)
                if let other = state.single[place], other != user {
                    state.single[place] = nil
                    state.shared.insert(place)
                } else if !state.shared.contains(place) {
                    state.single[place] = user
                }
            }
        }
    }
}
