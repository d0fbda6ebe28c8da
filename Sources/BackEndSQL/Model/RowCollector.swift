/// Gathers a result set's rows and ends it when it becomes too large.
struct RowCollector {
    private var rows: SQLRows
    private let limit: Int
    private var size = 2
    /// For each column of the database its place in a row.
    private let places: [Int]
    private let rowOverhead: Int

    /// - Parameters:
    ///   - labels: the database's columns; labels may repeat.
    ///   - limit: the largest size of the JSON text in bytes.
    init(labels: [String], limit: Int) {
        var columns: [String] = []
        var known: [String: Int] = [:]
        places = labels.map { label in
            if let place = known[label] { return place }
            known[label] = columns.count
            columns.append(label)
            return columns.count - 1
        }
        rows = SQLRows(columns: columns, values: [])
        rowOverhead = columns.reduce(2) { $0 + $1.utf8.count + 4 }
        self.limit = limit
    }

    /// - Parameter value: gives the value of the database's column with the given index.
    mutating func appendRow(_ value: (Int) throws(SQLFailure) -> SQLValue) throws(SQLFailure) {
        let start = rows.values.count
        rows.values.append(contentsOf: repeatElement(.null, count: rows.columns.count))
        size += rowOverhead
        for (index, place) in places.enumerated() {
            let value = try value(index)
            size += value.jsonSize
            guard size <= limit else { throw .tooLarge(limit: limit) }
            rows.values[start + place] = value
        }
    }

    var result: SQLResult { SQLResult(resultSet: rows) }
}
