import CLDAP

/// A server's response to one request.
struct LDAPAnswer {
    struct Entry {
        /// The first value of each attribute, by the attribute's name as the server writes it.
        let attributes: [String: String]
    }

    let code: Int32
    /// The server's own words.
    let explanation: String?
    let entries: [Entry]
    /// True if the server referred to others that may know more.
    let hasReferences: Bool

    /// - Parameter message: the whole chain; stays the caller's.
    init(_ message: OpaquePointer, of handle: OpaquePointer) {
        var (code, words) = (Int32(LDAP_OTHER), nil as UnsafeMutablePointer<CChar>?)
        var referrals: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let parsed = ldap_parse_result(handle, message, &code, nil, &words, &referrals, nil, 0)
        self.code = parsed == LDAP_SUCCESS ? code : parsed
        explanation = words.map { String(cString: $0) }
        hasReferences = referrals != nil || ldap_first_reference(handle, message) != nil
        ldap_memfree(words)
        ldap_memvfree(
            referrals.map(UnsafeMutableRawPointer.init)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
        var entries: [Entry] = []
        var entry = ldap_first_entry(handle, message)
        while let current = entry {
            entries.append(Entry(current, of: handle))
            entry = ldap_next_entry(handle, current)
        }
        self.entries = entries
    }
}

extension LDAPAnswer.Entry {
    fileprivate init(_ entry: OpaquePointer, of handle: OpaquePointer) {
        var attributes: [String: String] = [:]
        var position: OpaquePointer?
        var attribute = ldap_first_attribute(handle, entry, &position)
        while let current = attribute {
            if let values = ldap_get_values_len(handle, entry, current) {
                if let value = values[0]?.pointee, let bytes = value.bv_val {
                    let raw = UnsafeRawBufferPointer(start: bytes, count: Int(value.bv_len))
                    attributes[String(cString: current)] = String(validating: raw, as: UTF8.self)
                }
                ldap_value_free_len(values)
            }
            ldap_memfree(current)
            attribute = ldap_next_attribute(handle, entry, position)
        }
        ber_free(position, 0)
        self.attributes = attributes
    }
}
