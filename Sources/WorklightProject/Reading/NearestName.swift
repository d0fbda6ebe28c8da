extension Collection<String> {
    /// Returns the name closest to a misspelled one; `nil` when none differs in a few letters only.
    package func nearest(to name: String) -> String? {
        let near = map { (name: $0, distance: name.editDistance(to: $0)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let near, near.distance <= Swift.max(1, Swift.min(3, name.count / 4)) else { return nil }
        return near.name
    }
}
