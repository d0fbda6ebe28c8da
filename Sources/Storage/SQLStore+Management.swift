import Core
public import PushModel

public import struct Foundation.Date

extension SQLStore: ManagementStore {
    public func add(_ token: APIToken) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                """
                INSERT INTO api_token (name, hash, role, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    token.name, token.hash, token.role, token.createdAt.timeIntervalSince1970,
                    token.expiresAt?.timeIntervalSince1970,
                ]) > 0
        }
    }

    public func apiToken(hash: String) throws(StoreError) -> APIToken? {
        try database.read { try $0.row("SELECT * FROM api_token WHERE hash = ?", [hash])?.apiToken() }
    }

    public func apiTokens() throws(StoreError) -> [APIToken] {
        try database.read { try $0.rows("SELECT * FROM api_token ORDER BY name").map { try $0.apiToken() } }
    }

    public func removeAPIToken(_ name: String) throws(StoreError) -> APIToken? {
        try database.write { database in
            let token = try database.row("SELECT * FROM api_token WHERE name = ?", [name])?.apiToken()
            try database.run("DELETE FROM api_token WHERE name = ?", [name])
            return token
        }
    }

    public func append(_ entry: AuditEntry) throws(StoreError) {
        try database.write { database in
            _ = try database.run(
                """
                INSERT INTO audit_log (time, type, account, address, target, status, is_failure, before_change, after_change)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    entry.time.timeIntervalSince1970, entry.type, entry.account, entry.address, entry.target,
                    entry.status, entry.isFailure, try entry.before?.storedText(), try entry.after?.storedText(),
                ])
        }
    }

    public func auditLog(
        matching filter: AuditFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<AuditEntry, Int64> {
        try database.read { database in
            let wanted: [(condition: String, value: (any StoreArgument)?)] = [
                ("seq < ?", number ?? Int64.max), ("account = ?", filter.account), ("type = ?", filter.type),
                ("time >= ?", filter.since?.timeIntervalSince1970), ("time < ?", filter.until?.timeIntervalSince1970),
            ].filter { $0.1 != nil }
            let entries = try database.rows(
                """
                SELECT * FROM audit_log WHERE \(wanted.map(\.condition).joined(separator: " AND ")) ORDER BY seq DESC LIMIT ?
                """, wanted.map(\.value) + [limit]
            ).map { try $0.auditEntry() }
            return ListPage(items: entries, next: entries.count == limit ? entries.last?.number : nil)
        }
    }

    public func purgeAuditLog(before date: Date, keeping count: Int) throws(StoreError) -> Int {
        try database.write { database in
            try database.run(
                """
                DELETE FROM audit_log WHERE time < ?
                OR seq <= (SELECT seq FROM audit_log ORDER BY seq DESC LIMIT 1 OFFSET ?)
                """, [date.timeIntervalSince1970, count])
        }
    }
}

extension StoreRow {
    fileprivate func apiToken() throws -> APIToken {
        APIToken(
            name: try value("name"), hash: try value("hash"), role: try value("role"),
            createdAt: try date("created_at"), expiresAt: try optionalDate("expires_at"))
    }

    fileprivate func auditEntry() throws -> AuditEntry {
        AuditEntry(
            number: try value("seq"), time: try date("time"), type: try value("type"), account: try value("account"),
            address: try value("address"), target: try value("target"), status: try value("status"),
            isFailure: try value("is_failure"),
            before: try (value("before_change") as String?).map { try JSONValue(stored: $0, in: "before_change") },
            after: try (value("after_change") as String?).map { try JSONValue(stored: $0, in: "after_change") })
    }
}
