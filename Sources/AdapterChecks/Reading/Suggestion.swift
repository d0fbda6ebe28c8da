import WorklightProject

/// What somebody may have meant who wrote a name that there is not.
enum Suggestion {
    /// `; is 'invokeHttp' meant?` when a known name is near, else what is known when that is not much.
    static func text(for name: String, among known: some Collection<String>) -> String {
        if let near = nearest(to: name, among: known) { return "; is '\(near)' meant?" }
        if known.isEmpty { return "; there are none" }
        return known.count <= 10 ? "; there are: \(known.sorted().joined(separator: ", "))" : ""
    }

    /// The known name that differs in a letter or two.
    static func nearest(to name: String, among known: some Collection<String>) -> String? {
        let near = known.map { (name: $0, distance: name.editDistance(to: $0)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let near, near.distance <= max(1, min(3, name.count / 4)) else { return nil }
        return near.name
    }
}
