import Core
import Foundation

/// A page of the console, as sections in reading order.
struct ConsoleView {
    let title: String
    var sections: [ConsoleSection]
    /// The HTTP status.
    var status = 200
}

extension ConsoleView {
    /// A page with one section.
    init(_ title: String, status: Int = 200, _ blocks: [ConsoleBlock]) {
        self.init(title: title, sections: [ConsoleSection(blocks)], status: status)
    }
}

/// A part of a page with a heading.
struct ConsoleSection {
    var heading: String?
    var blocks: [ConsoleBlock]
    /// Identifies a section that is sent again when it has changed; `nil` for others.
    var liveID: String?
    /// Identifies a section that is not live.
    var id: String?
    var isNarrow = false

    init(_ heading: String, id: String? = nil, live: String? = nil, _ blocks: [ConsoleBlock]) {
        (self.heading, self.blocks, self.id, liveID) = (heading, blocks, id, live)
    }

    init(live: String? = nil, isNarrow: Bool = false, _ blocks: [ConsoleBlock]) {
        (self.blocks, liveID, self.isNarrow) = (blocks, live, isNarrow)
    }

    func context(csrf: String) -> [String: Any] {
        var context: [String: Any] = [
            "blocks": blocks.map(\.context), "isLive": liveID != nil, "class": isNarrow ? "narrow" : "", "csrf": csrf,
        ]
        context["heading"] = heading
        context["id"] = liveID ?? id
        return context
    }
}

/// The meaning that a colour adds to the label.
enum ConsoleStyle: String {
    case plain = ""
    case good, warn, bad
    case quiet, danger
    case number, fixed
    case act
    /// For a column: each cell is one line, which is cut if it is too long.
    case line
    /// For a column: lines break anywhere, so that long names do not widen the table.
    case wrap
}

enum ConsoleBlock {
    case paragraph([ConsoleValue], ConsoleStyle = .plain)
    case facts([(label: String, values: [ConsoleValue])])
    case counts([ConsoleCount])
    case list([[ConsoleValue]])
    case code(caption: String, text: String)
    case table(ConsoleTable)
    case charts([ConsoleChart])
    case buttons([ConsoleValue])
    case form(ConsoleForm)

    static func text(_ text: String) -> ConsoleBlock { .paragraph([.text(text)]) }

    fileprivate var context: [String: Any] {
        switch self {
        case .paragraph(let values, let style):
            ["paragraph": ["values": values.map(\.context), "style": style.rawValue] as [String: Any]]
        case .facts(let rows):
            [
                "facts": [
                    "rows": rows.filter { !$0.values.isEmpty }.map {
                        ["label": $0.label, "values": $0.values.map(\.context)] as [String: Any]
                    }
                ]
            ]
        case .counts(let items): ["counts": ["items": items.map(\.context)]]
        case .list(let items): ["list": ["items": items.map { ["values": $0.map(\.context)] }]]
        case .code(let caption, let text): ["code": ["caption": caption.printable, "text": text.printable]]
        case .table(let table): ["table": table.context]
        case .charts(let charts): ["charts": ["items": charts.map(\.context)]]
        case .buttons(let items): ["buttons": ["items": items.map(\.context)]]
        case .form(let form): ["form": form.context]
        }
    }
}

/// A number with its name.
struct ConsoleCount {
    let label: String
    let count: String
    var href: String?
    var style = ConsoleStyle.plain

    init(_ label: String, _ count: Int, href: String? = nil, style: ConsoleStyle = .plain) {
        self.init(label, text: count.formatted(.number.locale(.console)), href: href, style: style)
    }

    init(_ label: String, text: String, href: String? = nil, style: ConsoleStyle = .plain) {
        (self.label, count, self.href, self.style) = (label, text, href, style)
    }

    fileprivate var context: [String: Any] {
        var context: [String: Any] = ["label": label, "count": count, "style": style.rawValue]
        context["href"] = href
        return context
    }
}

/// A note below a row of a table.
struct ConsoleNote {
    let label: String
    let values: [ConsoleValue]
}

struct ConsoleTable {
    struct Column {
        let label: String
        let style: ConsoleStyle

        init(_ label: String, _ style: ConsoleStyle = .plain) { (self.label, self.style) = (label, style) }
    }

    /// For screen readers.
    let caption: String
    let columns: [Column]
    /// One cell for each column.
    var rows: [[[ConsoleValue]]]
    /// A long note below each row, as wide as the table; one for each row, or none at all.
    var notes: [ConsoleNote?] = []
    /// The next step, for a table without rows.
    var empty: [ConsoleValue]
    /// The address of the next page.
    var next: String?
    /// The address of the first page; `nil` on it.
    var first: String?

    fileprivate var context: [String: Any] {
        var context: [String: Any] = [
            "caption": caption, "hasRows": !rows.isEmpty, "empty": empty.map(\.context),
            "columns": columns.map { ["label": $0.label, "style": $0.style.rawValue] },
            "rows": rows.indices.map { row($0) },
        ]
        context["first"] = first.map { ["href": $0] }
        context["more"] = next.map { ["href": $0, "label": rows.isEmpty ? "Search on" : "Next page"] }
        return context
    }

    private func row(_ index: Int) -> [String: Any] {
        var context: [String: Any] = ["cells": zip(columns, rows[index]).map { Self.cell($0, $1) }]
        if notes.indices.contains(index), let note = notes[index] {
            context["note"] =
                ["label": note.label, "values": note.values.map(\.context), "span": columns.count] as [String: Any]
        }
        return context
    }

    private static func cell(_ column: Column, _ values: [ConsoleValue]) -> [String: Any] {
        var context: [String: Any] = [
            "label": column.label, "style": column.style.rawValue, "values": values.map(\.context),
        ]
        let tooltip = values.compactMap(\.tooltip).joined(separator: " ")
        if column.style == .line, !tooltip.isEmpty { context["tooltip"] = tooltip }
        return context
    }
}
