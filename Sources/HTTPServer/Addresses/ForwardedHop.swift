import Core
import HTTPTypes

/// A proxy's report of its caller, the farthest first.
struct ForwardedHop: Equatable {
    var address: IPAddress?
    var scheme: String?
    var host: String?

    static func list(of headers: HTTPFields, in family: ProxyHeaders) -> [ForwardedHop] {
        if family == .forwarded {
            // Line by line, and a line whose quotes do not close at every comma: no client's line swallows that of a proxy.
            return values(.forwarded, headers).flatMap { line in
                split(line, at: ",") ?? parts(of: line, at: ",")
            }.map(hop(forwarded:))
        }
        let addresses = elements(.forwardedFor, headers)
        let schemes = elements(.forwardedProto, headers)
        let hosts = elements(.forwardedHost, headers)
        var hops = addresses.map { ForwardedHop(address: node($0)) }
        if hops.isEmpty {
            guard !schemes.isEmpty || !hosts.isEmpty else { return [] }
            hops = [ForwardedHop()]
        }
        for index in hops.indices {
            let isLast = index == hops.count - 1
            hops[index].scheme = Self.scheme(
                schemes.count == hops.count ? schemes[index] : isLast ? schemes.last : nil)
            hops[index].host = Self.host(hosts.count == hops.count ? hosts[index] : isLast ? hosts.last : nil)
        }
        return hops
    }

    private static func values(_ name: HTTPField.Name?, _ headers: HTTPFields) -> [String] {
        name.map { headers[values: $0] } ?? []
    }

    private static func elements(_ name: HTTPField.Name?, _ headers: HTTPFields) -> [String] {
        values(name, headers).flatMap { parts(of: $0, at: ",") }.map(\.trimmed)
    }

    /// Splits at Unicode scalars: a `Character` may be a comma together with a scalar that a client had before it.
    private static func parts(of text: String, at separator: Unicode.Scalar) -> [String] {
        text.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }

    /// `for=192.0.2.60;proto=http;by=203.0.113.43`, of which one that breaks the grammar says nothing at all.
    private static func hop(forwarded element: String) -> ForwardedHop {
        var hop = ForwardedHop()
        var seen: Set<String> = []
        for pair in split(element, at: ";") ?? [] where !pair.trimmed.isEmpty {
            let parts = pair.trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = unquote(String(parts[1])) else { return ForwardedHop() }
            let name = parts[0].lowercased()
            guard seen.insert(name).inserted else { return ForwardedHop() }
            switch name {
            case "for": hop.address = node(value)
            case "proto": hop.scheme = scheme(value)
            case "host": hop.host = host(value)
            default: break
            }
        }
        return hop
    }

    /// Splits outside of quoted strings; `nil` when one does not end.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String]? {
        var parts: [String.UnicodeScalarView] = [.init()]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isQuoted, scalar == separator {
                parts.append(.init())
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
            parts[parts.count - 1].append(scalar)
        }
        return isQuoted ? nil : parts.map { String($0) }
    }

    private static func unquote(_ text: String) -> String? {
        guard text.hasPrefix("\"") else { return text.contains("\"") || text.isEmpty ? nil : text }
        guard text.count >= 2, text.hasSuffix("\"") else { return nil }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
                continue
            } else if character == "\"" {
                return nil
            }
            result.append(character)
        }
        return isEscaped ? nil : result
    }

    /// `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]:4711`, and the bare `2001:db8::1` that many proxies write.
    private static func node(_ text: String) -> IPAddress? {
        IPAddress(text) ?? Authority(text).flatMap { IPAddress($0.host) }
    }

    private static func scheme(_ text: String?) -> String? {
        guard let text = text?.lowercased(), text == "http" || text == "https" else { return nil }
        return text
    }

    private static func host(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 255 else { return nil }
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        return isName ? text : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
