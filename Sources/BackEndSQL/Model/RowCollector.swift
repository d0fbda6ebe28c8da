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
        rows = SQLRows(columns: columns)
        rowOverhead = columns.reduce(2) { $0 + $1.utf8.count + 4 }
        self.limit = limit
    }

    /// - Parameter read: appends one cell, the value of the database's column with the given index.
    mutating func appendRow(_ read: (Int, inout SQLRows) throws(SQLFailure) -> Void) throws(SQLFailure) {
        let start = rows.cells.count
        size += rowOverhead
        for index in places.indices {
            try read(index, &rows)
            let cell = rows.cells[rows.cells.count - 1]
            size += cell.jsonSize
            guard size <= limit else { throw .tooLarge(limit: limit) }
            let place = start + places[index]
            if place < rows.cells.count - 1 {
                // A column whose label an earlier one has.
                rows.cells.removeLast()
                rows.cells[place] = cell
            }
        }
    }

    var result: SQLResult { SQLResult(resultSet: rows) }
}
