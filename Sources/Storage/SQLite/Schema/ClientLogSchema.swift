import GRDB

/// The tables of the clients' log. It has a separate file, so that writes of clients do not slow down the subscriptions and the
/// outbox.
///
/// Triggers keep the sums in `client_log_usage`, where the empty network is this machine and `*` the sum of all.
enum ClientLogSchema {
    private static let plan = SchemaPlan(version: 3, oldestReader: 3, upgrades: [3: []])

    /// Creates the tables in an empty file, and upgrades those of an earlier version.
    ///
    /// - Throws: as ``Schema/create(in:plan:)``.
    static func create(in file: some DatabaseWriter) throws {
        _ = try Schema.create(plan, of: [log], in: file)
    }

    /// The large columns are the last, so that a search that does not want them need not read them.
    private static let log = """
        CREATE TABLE client_log (
            seq INTEGER PRIMARY KEY,
            bytes INTEGER NOT NULL,
            network TEXT NOT NULL,
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
        CREATE INDEX client_log_by_network ON client_log (network, seq);

        CREATE TABLE client_log_usage (
            network TEXT NOT NULL PRIMARY KEY,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER client_log_inserted AFTER INSERT ON client_log BEGIN
            INSERT INTO client_log_usage (network, bytes) VALUES (new.network, new.bytes), ('*', new.bytes)
            ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER client_log_deleted AFTER DELETE ON client_log BEGIN
            UPDATE client_log_usage SET bytes = bytes - old.bytes WHERE network IN (old.network, '*');
            DELETE FROM client_log_usage WHERE network = old.network AND bytes <= 0;
        END;
        """
}
