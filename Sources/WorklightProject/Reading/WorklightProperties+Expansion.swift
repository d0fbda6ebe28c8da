import Foundation

extension WorklightProperties {
    /// Returns the string with every `${key}` replaced by that property's value.
    ///
    /// - Parameter unknown: called for each key that does not exist; its placeholder stays unchanged.
    func expand(_ text: String, unknown: (String) -> Void) -> String {
        guard text.contains("${") else { return text }
        var result = ""
        var rest = Substring(text)
        while let match = rest.firstMatch(of: /\$\{([^}]*)\}/) {
            result += rest[..<match.range.lowerBound]
            let key = String(match.1)
            let entry = entry(key)
            if let value = entry?.value ?? Self.localValue(key) ?? contents(ofFile: key) ?? environment[key] {
                result += value
                if let unresolved = entry?.unresolvedKey { unknown(unresolved) }
            } else {
                unknown(self.entry(key + Self.encryptedMark) == nil ? key : key + Self.encryptedMark)
                result += match.0
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    /// Returns the element with its attributes, its contents and its children expanded; keys without a value are its `unresolvedKeys`.
    func expanding(_ element: XMLElement) -> XMLElement {
        element.expanded { text, unresolved in
            expand(text) { unresolved.append($0) }
        }
    }

    /// The beginning of the key of a placeholder for the contents of a file, which may be secret.
    private static let fileMark = "file:"

    /// The contents of the file that a key `file:PATH` names, without the last line breaks; the path is relative to the project's folder.
    private func contents(ofFile key: String) -> String? {
        guard key.hasPrefix(Self.fileMark), let folder else { return nil }
        let path = String(key.dropFirst(Self.fileMark.count))
        let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appending(path: path)
        guard let data = try? Data(contentsOf: url) else { return nil }
        return FileText(plain: data).text.trimmingCharacters(in: .newlines)
    }

    /// Returns true if a key names a property of the machine itself, which the original's tools filled in, such as `local.IPAddress`.
    static func isLocal(_ key: String) -> Bool { key.lowercased().hasPrefix("local.") }

    /// The end of the key of a property that the original's tools encrypted.
    static let encryptedMark = ".enc"

    /// Returns the advice about a placeholder that has no value.
    ///
    /// - Parameter key: ends in `.enc` when only an encrypted value exists.
    package static func advice(onUnresolved key: String) -> String {
        if key.hasPrefix(fileMark) {
            return "the file of ${\(key)} cannot be read; the path is relative to the project's folder"
        }
        guard key.hasSuffix(encryptedMark) else {
            return "${\(key)} is not defined; add a line \(key)=… to \(path), or set the environment variable "
                + variable(for: key)
        }
        let name = String(key.dropLast(encryptedMark.count))
        return "${\(name)} is not defined: " + encryptionAdvice(name)
    }

    private static func encryptionAdvice(_ name: String) -> String {
        "\(name)\(encryptedMark) is encrypted, and Lamplighter cannot decrypt it; write \(name)=… in clear, or as ${VARIABLE} of the "
            + "environment, or set \(variable(for: name))"
    }

    /// Notes the properties that only have an encrypted value.
    ///
    /// - Parameter report: receives them, with the remedy.
    func reportEncrypted(_ report: (Entry, String) -> Void) {
        for entry in entries where entry.key.hasSuffix(Self.encryptedMark) {
            let name = String(entry.key.dropLast(Self.encryptedMark.count))
            if self.entry(name) == nil { report(entry, Self.encryptionAdvice(name)) }
        }
    }

    /// The value of a key of the machine's, where the project's properties have none: `local.IPAddress`, `local.hostname`.
    private static func localValue(_ key: String) -> String? {
        switch key.lowercased() {
        case "local.ipaddress": LocalAddress.first
        case "local.hostname": ProcessInfo.processInfo.hostName
        default: nil
        }
    }

    /// The properties with `${key}` in their own values replaced.
    ///
    /// - Parameter report: receives the entries with unknown keys or a circle, how bad that is, and why.
    func expandingThemselves(report: (Entry, ProjectError.Severity, String) -> Void) -> WorklightProperties {
        var expansion = PropertyExpansion(properties: self)
        return WorklightProperties(
            entries: entries.map { entry in
                let value = expansion.value(of: entry)
                guard value.utf8.count <= PropertyExpansion.longestValue else {
                    report(
                        entry, .error,
                        "the value has more than \(PropertyExpansion.longestValue) bytes with its placeholders replaced"
                    )
                    return entry
                }
                var unresolved = value.firstMatch(of: /\$\{([^}]*)\}/).map { String($0.1) }
                if let key = unresolved {
                    // The reader of the property reports more: many are never read.
                    let isUnknown = self.entry(key) == nil
                    report(
                        entry, isUnknown ? .note : .error,
                        "${\(key)} "
                            + (isUnknown ? "is not defined" : "is defined by itself, in a circle, or nested too deeply")
                    )
                    if isUnknown, self.entry(key + Self.encryptedMark) != nil { unresolved = key + Self.encryptedMark }
                }
                return Entry(key: entry.key, value: value, line: entry.line, unresolvedKey: unresolved)
            }, environment: environment, folder: folder)
    }
}

/// Replaces the placeholders in properties, each property once.
private struct PropertyExpansion {
    /// The longest value, in bytes; longer ones are not expanded further.
    static let longestValue = 1 << 16
    /// The most properties within each other.
    private static let deepest = 1000

    let properties: WorklightProperties
    private var values: [String: String] = [:]
    /// The keys that are being expanded.
    private var open: Set<String> = []

    init(properties: WorklightProperties) { self.properties = properties }

    mutating func value(of entry: WorklightProperties.Entry) -> String {
        if let known = values[entry.key] { return known }
        open.insert(entry.key)
        defer { open.remove(entry.key) }
        var result = ""
        var rest = Substring(entry.value)
        while result.utf8.count <= Self.longestValue, let match = rest.firstMatch(of: /\$\{([^}]*)\}/) {
            let key = String(match.1)
            result += rest[..<match.range.lowerBound]
            if let inner = properties.entry(key), !open.contains(key), open.count < Self.deepest {
                result += value(of: inner)
            } else {
                // A circle stays as it is written.
                result += properties.entry(key) == nil ? properties.expand(String(match.0)) { _ in } : String(match.0)
            }
            rest = rest[match.range.upperBound...]
        }
        result += rest
        values[entry.key] = result
        return result
    }
}

/// The address of this machine, as the original's tools wrote it for `${local.IPAddress}`.
enum LocalAddress {
    /// The first IPv4 address that is not a loopback one; `127.0.0.1` on a machine without a network.
    static let first: String = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return loopback }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { continue }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return loopback
    }()

    private static let loopback = "127.0.0.1"
}
