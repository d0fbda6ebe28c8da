/// Suggests the known name closest to a misspelled one.
package enum Suggestion {
    /// `; is 'invokeHttp' meant?` when a known name is near, else the known names when there are at most twelve.
    package static func text(for name: String, among known: some Collection<String>) -> String {
        if let near = nearest(to: name, among: known) { return "; is '\(near)' meant?" }
        if known.isEmpty { return "; there are none" }
        return known.count <= 12 ? "; there are: \(known.sorted().joined(separator: ", "))" : ""
    }

    /// `; is 'port' meant?` when a known name is near, else nothing.
    package static func hint(for name: String, among known: some Collection<String>) -> String {
        nearest(to: name, among: known).map { "; is '\($0)' meant?" } ?? ""
    }

    /// Returns the known name that differs in at most a quarter of the letters, at least one and no more than three, or of which one name
    /// begins with the other: `warn` for `warning`. Names of up to four letters must have the same first letter.
    package static func nearest(to name: String, among known: some Collection<String>) -> String? {
        let near = known.map { (name: $0, distance: name.editDistance(to: $0)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let near else { return nil }
        let hasSameStart = near.name.first?.lowercased() == name.first?.lowercased()
        if near.distance <= max(1, min(3, name.count / 4)), name.count > 4 || hasSameStart { return near.name }
        let longer = known.filter { other in
            min(name.count, other.count) >= 4
                && (name.lowercased().hasPrefix(other.lowercased()) || other.lowercased().hasPrefix(name.lowercased()))
        }
        return longer.min { ($0.count, $0) < ($1.count, $1) }
    }
}

extension String {
    /// Returns the number of letters to change, add, drop or swap with their neighbours to make one string of the other; case does not count.
    fileprivate func editDistance(to other: String) -> Int {
        let left = Array(lowercased())
        let right = Array(other.lowercased())
        var (before, previous, row) = ([Int](), [Int](), Array(0...right.count))
        for (i, character) in left.enumerated() {
            (before, previous) = (previous, row)
            row[0] = i + 1
            for (j, candidate) in right.enumerated() {
                row[j + 1] = Swift.min(
                    previous[j + 1] + 1, row[j] + 1, previous[j] + (character == candidate ? 0 : 1))
                if i > 0, j > 0, character == right[j - 1], left[i - 1] == candidate {
                    row[j + 1] = Swift.min(row[j + 1], before[j - 1] + 1)
                }
            }
        }
        return row[right.count]
    }
}
