import Synchronization

/// Paths that were read before: clients ask for few, again and again.
final class ClientPathCache: Sendable {
    /// Further texts are parsed each time.
    private static let capacity = 1000
    /// Longer ones are not remembered.
    private static let longest = 200

    private let contextRoot: String
    private let paths = Mutex<[String: ClientProtocolPath]>([:])

    init(contextRoot: String) {
        self.contextRoot = contextRoot
    }

    /// What a path means; `nil` when it is none of ours.
    func path(_ text: String) -> ClientProtocolPath? {
        if let known = paths.withLock({ $0[text] }) { return known }
        guard let path = ClientProtocolPath(text, under: contextRoot) else { return nil }
        guard text.utf8.count <= Self.longest else { return path }
        paths.withLock { paths in
            if paths.count < Self.capacity { paths[text] = path }
        }
        return path
    }
}
