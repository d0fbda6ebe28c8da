public import PushModel

extension SQLStore: PreferenceStore {
    public func setPreferences(
        _ preferences: [Preference], of owner: PreferenceOwner
    ) throws(PreferenceError) {
        guard !preferences.isEmpty else { return }
        // Not written first: that would hold up all other writes.
        guard preferences.count <= Preference.maximumCount else { throw .beyondLimit(Self.tooMany(preferences.count)) }
        var count = 0
        do throws(StoreError) {
            try database.write { database in
                for preference in preferences { try database.upsert(preference, of: owner) }
                count = try database.preferenceCount(of: owner)
                guard count <= Preference.maximumCount else {
                    throw StoredValueError(code: .other, reason: "too many preferences of one owner")
                }
            }
        } catch {
            guard count > Preference.maximumCount else { throw .store(error) }
            throw .beyondLimit(Self.tooMany(count))
        }
    }

    private static func tooMany(_ count: Int) -> ClientValueError {
        ClientValueError(
            field: "preferences", expected: "at most \(Preference.maximumCount) keys of one owner", found: "\(count)")
    }

    public func removePreference(key: String, of owner: PreferenceOwner) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                "DELETE FROM preference WHERE \(PreferenceOwner.isThis) AND key = ?",
                owner.storedValues + [key]) > 0
        }
    }

    public func preferences(of owner: PreferenceOwner) throws(StoreError) -> [Preference] {
        try database.read { database in
            let rows = try database.rows(
                """
                SELECT key, value FROM preference WHERE \(PreferenceOwner.isThis) ORDER BY key
                """, owner.storedValues)
            return try rows.map { row in
                try row.clientValue { try Preference(key: try row.value("key"), value: try row.value("value")) }
            }
        }
    }
}

extension PreferenceOwner {
    fileprivate static let isThis = "(application_id, owner_kind, owner_realm, owner) = (?, ?, ?, ?)"

    /// The values of `application_id`, `owner_kind`, `owner_realm` and `owner`.
    fileprivate var storedValues: [String] { [applicationID, kind.rawValue, realm, name] }
}

extension StoreTransaction {
    fileprivate func upsert(_ preference: Preference, of owner: PreferenceOwner) throws {
        try run(
            """
            INSERT INTO preference (application_id, owner_kind, owner_realm, owner, key, value)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (application_id, owner_kind, owner_realm, owner, key)
            DO UPDATE SET value = excluded.value, guest_network = NULL, guest_bytes = NULL
            """, owner.storedValues + [preference.key, preference.value])
    }

    fileprivate func preferenceCount(of owner: PreferenceOwner) throws -> Int {
        try first(Int.self, "SELECT count(*) FROM preference WHERE \(PreferenceOwner.isThis)", owner.storedValues) ?? 0
    }
}
