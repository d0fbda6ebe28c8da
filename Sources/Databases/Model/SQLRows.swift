/// A result set: the columns' labels, and the values row by row.
///
/// Values are stored in one byte array, from which the JSON is written; ``values`` and the subscript build new ``SQLValue``s on each access.
public struct SQLRows: Sendable, Hashable {
    /// The columns' labels in order. Of columns with the same label the first determines the position and the last the value, as in a JSON object.
    public let columns: [String]

    /// The contents of the cells. A value that a later column with the same label replaces leaves its content here.
    private(set) var bytes: [UInt8] = []
    /// All rows' cells, one row after the other, `columns.count` each.
    var cells: [Cell] = []

    /// A value, whose content is a range of ``SQLRows/bytes``.
    struct Cell {
        enum Kind: UInt8 {
            /// Kinds without content.
            case null, `false`, `true`
            /// Decimal digits, perhaps with a sign.
            case integer
            /// The shortest string that represents the number, or `NaN`, `Infinity` or `-Infinity`.
            case real
            /// A string as in the ``SQLValue`` of the same name; perhaps not UTF-8.
            case decimal, text, day, time, timestamp
            case bytes
        }

        let kind: Kind
        var start = 0
        var count = 0

        var range: Range<Int> { start..<start + count }

        /// The approximate size of the value in JSON, in bytes.
        var jsonSize: Int {
            switch kind {
            case .null, .false, .true: 5
            case .integer, .real: 12
            case .decimal, .text, .day, .time, .timestamp: count + 2
            case .bytes: count / 3 * 4 + 6
            }
        }
    }

    init(columns: [String], values: [SQLValue] = []) {
        self.columns = columns
        for value in values { append(value) }
    }

    /// The number of rows.
    public var count: Int { columns.isEmpty ? 0 : cells.count / columns.count }

    /// All rows' values, one row after the other, `columns.count` each.
    public var values: [SQLValue] { cells.map(value) }

    /// - Parameter row: 0 ..< count.
    public subscript(row: Int) -> [SQLValue] {
        cells[row * columns.count..<(row + 1) * columns.count].map(value)
    }

    public static func == (one: SQLRows, other: SQLRows) -> Bool {
        one.columns == other.columns && one.values == other.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns)
        hasher.combine(values)
    }

    private func value(_ cell: Cell) -> SQLValue {
        var text: String { String(decoding: bytes[cell.range], as: UTF8.self) }
        return switch cell.kind {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .real: Double(text).map { .real($0) } ?? .text(text)
        case .decimal: .decimal(text)
        case .text: .text(text)
        case .day: .day(text)
        case .time: .time(text)
        case .timestamp: .timestamp(text)
        case .bytes: .bytes(Array(bytes[cell.range]))
        }
    }
}

extension SQLRows {
    /// Appends one cell, as all of these functions do.
    mutating func append(_ value: SQLValue) {
        switch value {
        case .null: cells.append(Cell(kind: .null))
        case .bool(let bool): cells.append(Cell(kind: bool ? .true : .false))
        case .integer(let integer): append(.integer, digitsOf: integer)
        case .real(let real): append(real: real)
        case .decimal(let text): append(.decimal, text.utf8)
        case .text(let text): append(.text, text.utf8)
        case .instant(let date): append(CivilTime(date))
        case .day(let text): append(.day, text.utf8)
        case .time(let text): append(.time, text.utf8)
        case .timestamp(let text): append(.timestamp, text.utf8)
        case .bytes(let bytes): append(.bytes, bytes)
        }
    }

    /// - Parameter content: has the form that ``Cell/Kind`` describes.
    mutating func append(_ kind: Cell.Kind, _ content: some Sequence<UInt8>) {
        append(kind) { $0.append(contentsOf: content) }
    }

    mutating func append(_ kind: Cell.Kind, digitsOf integer: Int64) {
        append(kind) { $0.appendDigits(of: integer) }
    }

    /// Appends a number in its shortest form; a whole one without the fraction of Swift's description.
    mutating func append(real: Double) {
        append(.real) { bytes in
            if let whole = Int64(exactly: real), whole.magnitude < 1 << 53 {
                bytes.appendDigits(of: whole)
            } else if real.isFinite {
                bytes.append(contentsOf: real.description.utf8)
            } else {
                bytes.append(contentsOf: (real.isNaN ? "NaN" : real > 0 ? "Infinity" : "-Infinity").utf8)
            }
        }
    }

    mutating func append(_ time: CivilTime) {
        append(.timestamp) { time.appendISOText(to: &$0) }
    }

    private mutating func append(_ kind: Cell.Kind, writing write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        cells.append(Cell(kind: kind, start: start, count: bytes.count - start))
    }

    /// Replaces the integers in a column with booleans.
    mutating func convertIntegers(inColumn column: Int, _ isTrue: (Int64) -> Bool) {
        for index in stride(from: column, to: cells.count, by: columns.count) {
            guard case .integer(let number) = value(cells[index]) else { continue }
            cells[index] = Cell(kind: isTrue(number) ? .true : .false)
        }
    }
}

/// The result of a statement or procedure.
public struct SQLResult: Sendable, Hashable {
    /// The rows of a query; nil for a statement that returns none.
    public var resultSet: SQLRows?
    /// The number of rows that an INSERT, UPDATE or DELETE touched, 0 for other statements; nil when there is a result set.
    public var updateCount: Int?
    /// The number of parameters beyond the statement's placeholders, which were ignored.
    public internal(set) var surplusParameters = 0

    public init(resultSet: SQLRows) {
        self.resultSet = resultSet
    }

    public init(updateCount: Int) {
        self.updateCount = updateCount
    }
}
