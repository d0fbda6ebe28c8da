/// How much clients without a user have stored, by the network that they came from.
///
/// `guest_row` has one row for each row of another table that such a client made. The name of the key's parts is in
/// ``GuestRow``. Triggers keep it in step when the other row goes, and keep the sums in `guest_usage`, where the empty network
/// stands for this machine and `*` for all together.
extension Schema {
    static let guests = """
        CREATE TABLE guest_row (
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            network TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (kind, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE guest_usage (
            network TEXT NOT NULL PRIMARY KEY,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER guest_row_inserted AFTER INSERT ON guest_row BEGIN
            INSERT INTO guest_usage (network, bytes) VALUES (new.network, new.bytes), ('*', new.bytes)
            ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER guest_row_deleted AFTER DELETE ON guest_row BEGIN
            UPDATE guest_usage SET bytes = bytes - old.bytes WHERE network IN (old.network, '*');
            DELETE FROM guest_usage WHERE network = old.network AND bytes <= 0;
        END;

        CREATE TRIGGER guest_device_deleted AFTER DELETE ON device_registration BEGIN
            DELETE FROM guest_row
            WHERE kind = 'device' AND key = old.application_id || char(31) || old.device_id;
        END;
        CREATE TRIGGER guest_subscription_deleted AFTER DELETE ON device_subscription BEGIN
            DELETE FROM guest_row
            WHERE kind = 'subscription' AND key = old.adapter || char(31) || old.event_source || char(31) || old.user_id
                || char(31) || old.device_id || char(31) || old.application_id;
        END;
        CREATE TRIGGER guest_sms_deleted AFTER DELETE ON sms_subscription BEGIN
            DELETE FROM guest_row
            WHERE kind = 'sms' AND key = old.adapter || char(31) || old.event_source || char(31) || old.digits;
        END;
        CREATE TRIGGER guest_preference_deleted AFTER DELETE ON preference BEGIN
            DELETE FROM guest_row
            WHERE kind = 'preference' AND key = old.application_id || char(31) || old.owner_kind || char(31) || old.owner
                || char(31) || old.key || iif(old.owner_realm = '', '', char(31) || old.owner_realm);
        END;
        """
}
