import Core
import Foundation

extension ManagementAPI {
    /// The parameters of every list.
    static let pageParameters: [ManagementRoute.Parameter] = [
        .query("limit", .integer(1...1000), "The largest number of items in the response; the default is 100."),
        .query("cursor", .text(1...4096), "'next' of the previous page."),
    ]

    /// - Parameter next: where the next page begins; `nil` at the end.
    static func page(_ items: [JSONValue], next: [JSONValue]?) -> JSONValue {
        var object: JSONObject = ["items": .array(items)]
        object["next"] = next.map { .string(Base64URL.encode(Array(JSONValue.array($0).text.utf8))) }
        return .object(object)
    }
}

extension ManagementInput {
    var limit: Int { integer("limit") ?? 100 }

    /// Returns the start of a page; `nil` for the first.
    ///
    /// - Throws: ``ManagementError`` with status 400 for a cursor that no response contained.
    func cursor() throws(ManagementError) -> PageCursor? {
        guard let text = text("cursor") else { return nil }
        guard let bytes = Base64URL.decode(text),
            let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
            let values = json.array
        else { throw PageCursor.problem }
        return PageCursor(values: values)
    }
}

/// The values of a cursor.
struct PageCursor {
    static let problem = ManagementError(
        .badRequest, "expected 'next' of the previous page of this list", field: "cursor")

    let values: [JSONValue]

    func text(_ index: Int) throws(ManagementError) -> String {
        guard values.indices.contains(index), let text = values[index].string, !text.contains("\0") else {
            throw Self.problem
        }
        return text
    }

    func integer(_ index: Int) throws(ManagementError) -> Int64 {
        guard values.indices.contains(index), let number = values[index].number, let integer = Int64(exactly: number)
        else { throw Self.problem }
        return integer
    }
}

extension UUID {
    /// Lower case, as the APIs of the push services have it.
    var spelling: String { uuidString.lowercased() }
}
