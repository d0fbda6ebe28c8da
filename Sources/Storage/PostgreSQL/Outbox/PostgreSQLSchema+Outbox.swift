extension PostgreSQLSchema {
    /// The outbox.
    ///
    /// `delivery` has the deliveries that have not ended. One with attempts has begun. A lane is an application on a device, or a phone
    /// number, as a hash; in each lane only one delivery has begun, until it ends. `due` is the time of the next attempt, or the end of
    /// the lease of `worker`; it is NULL for a delivery that waits for another of its lane, whose end sets it. `due_set_at` is the time
    /// at which `due` was set.
    ///
    /// `failures` has the newest failed attempts as JSON, and is NULL without any (`DeliveryFailure`).
    ///
    /// `delivery_end` has those that have ended, in a partition for each day on which some did, which is dropped as a whole.
    ///
    /// `delivery_count` holds changes of the number of deliveries in each state, a row for each transaction, so that transactions do
    /// not wait for each other. The rows are summed into one from time to time.
    ///
    /// `server_heartbeat` has the servers that run; `seen_at` is their last sign of life. A server that has been silent is deleted, and what it
    /// was sending is released.
    ///
    /// `broadcast` has a row until the broadcast has become deliveries; `part` and `after_device` are its progress.
    static let outbox = [
        """
        CREATE TABLE notification (
            seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id UUID NOT NULL,
            adapter TEXT COLLATE "C",
            event_source TEXT COLLATE "C",
            created_at DOUBLE PRECISION NOT NULL,
            expires_at DOUBLE PRECISION NOT NULL,
            options TEXT NOT NULL
        )
        """,
        "CREATE INDEX notification_by_id ON notification (id)",
        "CREATE INDEX notification_by_time ON notification (created_at)",
        """
        CREATE TABLE delivery (
            seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            notification BIGINT NOT NULL,
            lane BIGINT NOT NULL,
            due DOUBLE PRECISION,
            due_set_at DOUBLE PRECISION NOT NULL,
            channel INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            id UUID NOT NULL,
            worker TEXT,
            \(target),
            digits TEXT COLLATE "C",
            reason TEXT,
            requests TEXT,
            failures JSONB
        ) WITH (fillfactor = 80, \(autovacuum))
        """,
        "CREATE INDEX delivery_due ON delivery (channel, due, seq) WHERE due IS NOT NULL",
        "CREATE INDEX delivery_by_notification ON delivery (notification, seq)",
        "CREATE INDEX delivery_by_user ON delivery (user_id, seq)",
        "CREATE INDEX delivery_by_device ON delivery (device_id, seq)",
        "CREATE INDEX delivery_by_lane ON delivery (lane, seq)",
        "CREATE UNIQUE INDEX delivery_begun ON delivery (lane) WHERE attempts > 0",
        """
        CREATE TABLE delivery_end (
            seq BIGINT NOT NULL,
            notification BIGINT NOT NULL,
            ended_at DOUBLE PRECISION NOT NULL,
            channel INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            id UUID NOT NULL,
            state TEXT NOT NULL,
            \(target),
            service_id TEXT,
            reason TEXT,
            requests TEXT,
            failures JSONB
        ) PARTITION BY RANGE (ended_at)
        """,
        "CREATE INDEX delivery_end_by_seq ON delivery_end (seq)",
        "CREATE INDEX delivery_end_undelivered ON delivery_end (state, seq) WHERE state <> 'delivered'",
        "CREATE INDEX delivery_end_by_notification ON delivery_end (notification, seq)",
        "CREATE INDEX delivery_end_by_user ON delivery_end (user_id, seq)",
        "CREATE INDEX delivery_end_by_device ON delivery_end (device_id, seq)",
        """
        CREATE TABLE delivery_count (
            queued BIGINT NOT NULL,
            sending BIGINT NOT NULL,
            delivered BIGINT NOT NULL,
            previewed BIGINT NOT NULL,
            refused BIGINT NOT NULL,
            expired BIGINT NOT NULL,
            ended_ever BIGINT NOT NULL
        ) WITH (\(autovacuum))
        """,
        "CREATE TABLE server_heartbeat (name TEXT COLLATE \"C\" PRIMARY KEY, seen_at DOUBLE PRECISION NOT NULL)",
        """
        CREATE TABLE broadcast (
            seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id UUID NOT NULL UNIQUE,
            notification BIGINT NOT NULL,
            application_id TEXT COLLATE "C" NOT NULL,
            kind TEXT NOT NULL,
            part BIGINT NOT NULL,
            after_device TEXT COLLATE "C",
            deliveries BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE broadcast_part (
            broadcast_id UUID NOT NULL REFERENCES broadcast (id) ON DELETE CASCADE,
            number BIGINT NOT NULL,
            value TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (broadcast_id, number)
        )
        """,
    ]

    /// The columns of a delivery's target, in the order of ``DeliveryColumns/names``.
    private static let target = """
        user_id TEXT COLLATE "C", device_id TEXT COLLATE "C", application_id TEXT COLLATE "C", alias TEXT COLLATE "C",
            tag TEXT COLLATE "C", token TEXT, phone_number TEXT, gateway_id TEXT, subscription_options TEXT,
            is_for_user BOOLEAN
        """

    /// Storage parameters of tables whose rows change within seconds: vacuum after a tenth has changed, without cost delay.
    private static let autovacuum = "autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0"
}
