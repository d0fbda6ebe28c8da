/// What versions 5 and 6 of the tables bring: callbacks that must run, adapters that are missing for them, and which client
/// owns a device.
extension Schema {
    /// A callback is here from the change of subscriptions that causes it until it has run. The subscription's columns hold
    /// the subscription as it was then; `is_edge` says whether the device was the user's first or last.
    static let owedCallbacks = """
        CREATE TABLE owed_callback (
            seq INTEGER PRIMARY KEY,
            change TEXT NOT NULL,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            adapter TEXT NOT NULL,
            event_source TEXT NOT NULL,
            user_id TEXT NOT NULL,
            user_state TEXT NOT NULL,
            device_id TEXT NOT NULL,
            application_id TEXT NOT NULL,
            alias TEXT NOT NULL,
            platform TEXT NOT NULL,
            token TEXT NOT NULL,
            options TEXT NOT NULL,
            is_edge INTEGER NOT NULL,
            UNIQUE (change, number)
        ) STRICT;
        CREATE INDEX owed_callback_by_user ON owed_callback (adapter, event_source, user_id);
        """

    /// Adapters that owe callbacks and are not loaded. `seconds` is the server's running time without them, not a date: a clock
    /// that is set must not drop callbacks.
    static let missingAdapters = """
        CREATE TABLE missing_adapter (adapter TEXT NOT NULL PRIMARY KEY, seconds REAL NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// `client_id` is that of the client that registered the device last; NULL for devices that no client has registered
    /// since, or that an operator subscribed.
    static let deviceOwners = """
        ALTER TABLE device_registration ADD COLUMN client_id TEXT;
        CREATE INDEX device_registration_by_client ON device_registration (application_id, client_id, device_id);
        CREATE INDEX device_registration_by_token ON device_registration (application_id, token);
        """
}
