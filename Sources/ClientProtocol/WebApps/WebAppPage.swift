import Foundation

/// A page of a web app, which names the context root of the server that it was built for.
enum WebAppPage {
    /// The two members of `WL.StaticAppProps` with the path of the application's endpoints.
    private static let members = ["APP_SERVICES_URL", "WORKLIGHT_ROOT_URL"]

    /// Returns a page with this server's context root in `APP_SERVICES_URL` and `WORKLIGHT_ROOT_URL`. Nothing else changes.
    static func page(_ bytes: [UInt8], under contextRoot: String) -> [UInt8] {
        let values = members.flatMap { positions(of: $0, in: bytes) }.compactMap { value(after: $0, in: bytes) }
        guard !values.isEmpty else { return bytes }
        var page: [UInt8] = []
        page.reserveCapacity(bytes.count + 64 * values.count)
        var start = 0
        for range in values.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            page += bytes[start..<range.lowerBound]
            page += replaced(bytes[range], under: contextRoot)
            start = range.upperBound
        }
        return page + bytes[start...]
    }

    /// Returns the positions behind each occurrence of a name.
    private static func positions(of name: String, in bytes: [UInt8]) -> [Int] {
        let name = Array(name.utf8)
        var found: [Int] = []
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var start = 0
            while start + name.count <= buffer.count,
                let match = memchr(base + start, Int32(name[0]), buffer.count - name.count - start + 1)
            {
                start = UnsafeRawPointer(match) - base
                if memcmp(base + start, name, name.count) == 0 { found.append(start + name.count) }
                start += 1
            }
        }
        return found
    }

    /// Returns the range of the string that follows a member's name; `nil` without one.
    private static func value(after position: Int, in bytes: [UInt8]) -> Range<Int>? {
        var rest = bytes[position...]
        if let quote = rest.first, isQuote(quote) { rest.removeFirst() }
        rest = rest.drop(while: isBlank)
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        rest = rest.drop(while: isBlank)
        guard let quote = rest.popFirst(), isQuote(quote) else { return nil }
        // A path is short; a quotation mark far away belongs to something else.
        guard let end = rest.prefix(2000).firstIndex(where: { $0 == quote || $0 == 0x0A }), bytes[end] == quote else {
            return nil
        }
        return rest.startIndex..<end
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The path from `/apps/services/` on below another root. Builders may have written `\/` for a slash.
    private static func replaced(_ old: ArraySlice<UInt8>, under contextRoot: String) -> [UInt8] {
        let text = String(decoding: old, as: UTF8.self)
        let plain = text.replacing("\\/", with: "/")
        guard let start = plain.range(of: "/apps/services/") else { return Array(old) }
        let new = contextRoot + plain[start.lowerBound...]
        return Array((text.contains("\\/") ? new.replacing("/", with: "\\/") : new).utf8)
    }
}
