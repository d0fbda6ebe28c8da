/// What version 3 of the tables brings: what the server keeps of clients beside push.
extension Schema {
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

        -- The large columns are the last, so that a search that does not want them need not read them.
        CREATE TABLE client_log (
            seq INTEGER PRIMARY KEY,
            received_at REAL NOT NULL,
            time REAL,
            level TEXT NOT NULL,
            application_id TEXT,
            application_version TEXT,
            environment TEXT,
            device_id TEXT,
            model TEXT,
            os_version TEXT,
            package TEXT NOT NULL,
            message TEXT NOT NULL,
            metadata TEXT NOT NULL
        ) STRICT;
        CREATE INDEX client_log_by_time ON client_log (received_at);
        CREATE INDEX client_log_by_application ON client_log (application_id);
        CREATE INDEX client_log_by_device ON client_log (device_id);

        CREATE TABLE preference (
            application_id TEXT NOT NULL,
            owner_kind TEXT NOT NULL,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (application_id, owner_kind, owner, key)
        ) STRICT;

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
        """

    /// An application registers once on a device: what it registered before is looked for.
    static let clientsByDevice = """
        CREATE INDEX oauth_client_by_device ON oauth_client (application_id, device_id);
        """
}
