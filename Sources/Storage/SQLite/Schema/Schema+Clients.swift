extension Schema {
    /// The tables for clients besides push, and for the management API: sent messages, tokens, the audit log, blocked devices, and the activity that
    /// the console's charts show. Its `time` is an integer, the start of an interval of `step` seconds. `owner_realm` is empty for devices.
    /// `guest_network` and `guest_bytes` are as in ``subscriptions``.
    static let clients = """
        CREATE TABLE application_rule (
            application_id TEXT NOT NULL,
            environment TEXT NOT NULL,
            version TEXT NOT NULL,
            access TEXT NOT NULL,
            message TEXT,
            download_link TEXT,
            checksum INTEGER,
            message_id TEXT NOT NULL,
            updated_at REAL NOT NULL,
            PRIMARY KEY (application_id, environment, version)
        ) STRICT;

        CREATE TABLE preference (
            application_id TEXT NOT NULL,
            owner_kind TEXT NOT NULL,
            owner_realm TEXT NOT NULL,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            guest_network TEXT,
            guest_bytes INTEGER,
            PRIMARY KEY (application_id, owner_kind, owner_realm, owner, key)
        ) STRICT;
        CREATE INDEX preference_of_guests ON preference (guest_network, guest_bytes) WHERE guest_network IS NOT NULL;

        CREATE TABLE sent_message (
            id TEXT NOT NULL PRIMARY KEY,
            application_id TEXT NOT NULL,
            idempotency_key TEXT UNIQUE,
            digest TEXT NOT NULL,
            created_at REAL NOT NULL,
            is_begun INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX sent_message_by_time ON sent_message (created_at);

        CREATE TABLE api_token (
            name TEXT NOT NULL PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            created_at REAL NOT NULL,
            expires_at REAL
        ) STRICT;

        CREATE TABLE audit_log (
            seq INTEGER PRIMARY KEY,
            time REAL NOT NULL,
            type TEXT NOT NULL,
            account TEXT NOT NULL,
            address TEXT NOT NULL,
            target TEXT NOT NULL,
            status INTEGER NOT NULL,
            is_failure INTEGER NOT NULL,
            before_change TEXT,
            after_change TEXT
        ) STRICT;
        CREATE INDEX audit_log_by_time ON audit_log (time);
        CREATE INDEX audit_log_by_account ON audit_log (account, seq);
        CREATE INDEX audit_log_by_type ON audit_log (type, seq);

        CREATE TABLE blocked_device (
            application_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            blocked_at REAL NOT NULL,
            PRIMARY KEY (application_id, device_id)
        ) STRICT;

        CREATE TABLE activity (
            step INTEGER NOT NULL,
            time INTEGER NOT NULL,
            server TEXT NOT NULL,
            calls INTEGER NOT NULL,
            failed_calls INTEGER NOT NULL,
            errors INTEGER NOT NULL,
            delivered INTEGER NOT NULL,
            previewed INTEGER NOT NULL,
            refused INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            waiting INTEGER NOT NULL,
            oldest_delivery REAL NOT NULL,
            poll_lateness REAL NOT NULL,
            PRIMARY KEY (step, time, server)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE oauth_client (
            client_id TEXT NOT NULL PRIMARY KEY,
            application_id TEXT NOT NULL,
            application_version TEXT NOT NULL,
            environment TEXT NOT NULL,
            device_id TEXT NOT NULL,
            device_model TEXT NOT NULL,
            device_os TEXT NOT NULL,
            modulus BLOB NOT NULL,
            exponent BLOB NOT NULL,
            certificate BLOB NOT NULL,
            registered_at REAL NOT NULL,
            last_used_at REAL NOT NULL
        ) STRICT;
        CREATE INDEX oauth_client_by_use ON oauth_client (last_used_at);
        CREATE INDEX oauth_client_by_device ON oauth_client (application_id, device_id);
        """
}
