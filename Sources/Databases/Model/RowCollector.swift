/// Gathers a result set's rows and ends it when it becomes too large.
struct RowCollector {
    private var rows: SQLRows
    private let limit: Int
    private var size = 2
    private let layout: Layout

    /// The positions of a statement's columns in a row.
    struct Layout {
        /// Without those that repeat.
        let columns: [String]
        /// The position in a row for each column of the database.
        let places: [Int]
        let rowOverhead: Int

        /// - Parameter labels: the database's columns; labels may repeat.
        init(labels: [String]) {
            var columns: [String] = []
            var known: [String: Int] = [:]
            places = labels.map { label in
                if let place = known[label] { return place }
                known[label] = columns.count
                columns.append(label)
                return columns.count - 1
            }
            rowOverhead = columns.reduce(2) { $0 + $1.utf8.count + 4 }
            self.columns = columns
        }
    }

    /// - Parameter limit: the largest size of the JSON in bytes.
    init(_ layout: Layout, limit: Int) {
        (self.layout, self.limit) = (layout, limit)
        rows = SQLRows(columns: layout.columns)
    }

    init(labels: [String], limit: Int) {
        self.init(Layout(labels: labels), limit: limit)
    }

    /// - Parameter read: appends one cell, the value of the database's column with the given index.
    mutating func appendRow(_ read: (Int, inout SQLRows) throws(SQLStatementError) -> Void) throws(SQLStatementError) {
        let start = rows.cells.count
        size += layout.rowOverhead
        for index in layout.places.indices {
            try read(index, &rows)
            let cell = rows.cells[rows.cells.count - 1]
            size += cell.jsonSize
            guard size <= limit else { throw .tooLarge(limit: limit) }
            let place = start + layout.places[index]
            if place < rows.cells.count - 1 {
                // A column whose label an earlier one has.
                rows.cells.removeLast()
                rows.cells[place] = cell
            }
        }
    }

    var result: SQLResult { SQLResult(resultSet: rows) }
}
