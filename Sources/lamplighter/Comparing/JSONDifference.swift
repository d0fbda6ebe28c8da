import Core

/// A member that two JSON values do not have alike.
struct JSONDifference: Hashable {
    /// Such as `orders[0].price`; empty for the whole value.
    let path: String
    /// `nil` where the member is missing.
    let old: JSONValue?
    let new: JSONValue?

    /// Lists the differences of two values.
    ///
    /// - Parameter ignored: names of members at any depth, or paths, that do not count. Paths have no positions in arrays: `orders.price`.
    static func all(_ old: JSONValue?, _ new: JSONValue?, ignoring ignored: Set<String>) -> [JSONDifference] {
        var found: [JSONDifference] = []
        compare(old, new, at: "", plain: "", ignored, &found)
        return found
    }

    private static func compare(
        _ old: JSONValue?, _ new: JSONValue?, at path: String, plain: String, _ ignored: Set<String>,
        _ found: inout [JSONDifference]
    ) {
        if let left = old?.object, let right = new?.object {
            let (leftValues, rightValues) = (values(of: left), values(of: right))
            for key in left.keys + right.keys.filter({ leftValues[Array($0.utf8)] == nil }) {
                let name = plain.isEmpty ? key : "\(plain).\(key)"
                guard !ignored.contains(key), !ignored.contains(name) else { continue }
                compare(
                    leftValues[Array(key.utf8)], rightValues[Array(key.utf8)],
                    at: path.isEmpty ? key : "\(path).\(key)", plain: name, ignored, &found)
            }
        } else if let left = old?.array, let right = new?.array {
            for index in 0..<max(left.count, right.count) {
                compare(
                    index < left.count ? left[index] : nil, index < right.count ? right[index] : nil,
                    at: "\(path)[\(index)]", plain: plain, ignored, &found)
            }
        } else if old != new {
            found.append(JSONDifference(path: path, old: old, new: new))
        }
    }

    /// The members by their keys' code units: two spellings of one character are different keys.
    private static func values(of object: JSONObject) -> [[UInt8]: JSONValue] {
        Dictionary(object.members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The largest length of a shown value.
    private static let longest = 60

    var line: String {
        func shown(_ value: JSONValue?) -> String {
            guard let text = value?.text else { return "missing" }
            return text.count > Self.longest ? "\(text.prefix(Self.longest))…" : text
        }
        return "\(path.isEmpty ? "result" : path): \(shown(old)) -> \(shown(new))"
    }
}
