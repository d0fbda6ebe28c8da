import Core

/// A part of a series that a running server tells page by page: its log, or what becomes of deliveries.
struct SeriesPage: Sendable {
    /// The run of the server that the numbers are of.
    let run: String
    let entries: [JSONValue]
    /// After which number the next page begins.
    let last: Int
    /// How many entries were dropped before they could be read.
    let lost: Int
    /// Whether the server is about to end.
    let isStopping: Bool

    /// - Throws: ``ServerError`` when it is something else.
    init(_ json: JSONValue) throws {
        guard let run = json["run"]?.string, let entries = json["entries"]?.array,
            let last = json["last"]?.number.flatMap({ Int(exactly: $0) }),
            let lost = Int(exactly: json["lost"]?.number ?? 0)
        else {
            throw ServerError(
                description: "the server answered what this lamplighter does not know: \(json.text.prefix(200))")
        }
        self.run = run
        self.entries = entries
        self.last = last
        self.lost = lost
        isStopping = json["stopping"] == true
    }
}
