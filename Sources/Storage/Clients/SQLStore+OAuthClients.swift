public import Foundation
public import PushModel

extension SQLStore: OAuthClientStore {
    public func addOAuthClient(_ client: OAuthClientRecord) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                """
                INSERT INTO oauth_client
                (client_id, application_id, application_version, environment, device_id, device_model, device_os,
                modulus, exponent, certificate, registered_at, last_used_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    client.clientID, client.applicationID, client.applicationVersion, client.environment,
                    client.deviceID, client.deviceModel, client.deviceOS, client.publicKey.modulus,
                    client.publicKey.exponent, client.certificate, client.registeredAt.timeIntervalSince1970,
                    client.lastUsedAt.timeIntervalSince1970,
                ]) > 0
        }
    }

    public func oauthClient(_ clientID: String) throws(StoreError) -> OAuthClientRecord? {
        try database.read { database in
            try database.row("SELECT * FROM oauth_client WHERE client_id = ?", [clientID])?
                .oauthClient()
        }
    }

    public func touchOAuthClient(_ clientID: String, at date: Date) throws(StoreError) {
        let isDue = "client_id = ? AND last_used_at <= ?"
        let arguments: [(any StoreArgument)?] = [clientID, date.timeIntervalSince1970 - 86_400]
        // Reads first, because a read does not wait for other writers.
        let found = try database.read { database in
            try database.first(Bool.self, "SELECT true FROM oauth_client WHERE \(isDue)", arguments) ?? false
        }
        guard found else { return }
        try database.writeAhead { database in
            try database.run(
                "UPDATE oauth_client SET last_used_at = ? WHERE \(isDue)", [date.timeIntervalSince1970] + arguments)
        }
    }

    public func removeOAuthClients(supersededBy client: OAuthClientRecord) throws(StoreError) -> Int {
        try database.write { database in
            try database.run(
                """
                DELETE FROM oauth_client
                WHERE application_id = ? AND device_id = ? AND client_id <> ? AND modulus = ? AND exponent = ?
                """,
                [
                    client.applicationID, client.deviceID, client.clientID, client.publicKey.modulus,
                    client.publicKey.exponent,
                ])
        }
    }

    /// Removes the least recently used clients beyond `limit`, in several transactions.
    ///
    /// - Returns: the number of removed clients.
    /// - Throws: `StoreError`.
    public func purgeOAuthClients(keeping limit: Int) throws(StoreError) -> Int {
        let count = try database.read { database in
            try database.first(Int.self, "SELECT count(*) FROM oauth_client", []) ?? 0
        }
        var excess = count - limit
        guard excess > 0 else { return 0 }
        return try purgeInBatches { database, batch in
            let removed = try database.run(
                """
                DELETE FROM oauth_client WHERE client_id IN (
                    SELECT client_id FROM oauth_client ORDER BY last_used_at, registered_at LIMIT ?
                )
                """, [min(batch, excess)])
            excess -= removed
            return removed
        }
    }

    /// Forgets clients of whose use the last note is from before `date`, in several transactions.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: `StoreError`.
    public func purgeOAuthClients(unusedSince date: Date) throws(StoreError) -> Int {
        try purgeInBatches { database, limit in
            try database.run(
                """
                DELETE FROM oauth_client WHERE client_id IN (
                    SELECT client_id FROM oauth_client WHERE last_used_at < ? ORDER BY last_used_at LIMIT ?
                )
                """, [date.timeIntervalSince1970, limit])
        }
    }
}

extension StoreRow {
    fileprivate func oauthClient() throws -> OAuthClientRecord {
        try clientValue {
            try OAuthClientRecord(
                clientID: try value("client_id"), applicationID: try value("application_id"),
                applicationVersion: try value("application_version"), environment: try value("environment"),
                deviceID: try value("device_id"), deviceModel: try value("device_model"),
                deviceOS: try value("device_os"),
                publicKey: try OAuthClientRecord.PublicKey(
                    modulus: try value("modulus"), exponent: try value("exponent")),
                certificate: try value("certificate"), registeredAt: try date("registered_at"),
                lastUsedAt: try date("last_used_at"))
        }
    }
}
