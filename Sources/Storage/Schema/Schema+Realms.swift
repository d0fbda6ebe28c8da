/// What version 6 of the tables brings: the realms of users, and which messages are for a user.
extension Schema {
    /// 1 for a message that `sendMessage` addressed to a user; NULL before this version, and where there is an event source.
    static let messagesForUsers = "ALTER TABLE delivery ADD COLUMN is_for_user INTEGER"

    /// `user_realm` is NULL for clients without a login, for users whom operators and back ends named, and in rows from before
    /// this version. `owner_realm` is empty for these. The rest of `preference` and its trigger are those of versions 3 and 5.
    static let userRealms = """
        ALTER TABLE device_registration ADD COLUMN user_realm TEXT;
        ALTER TABLE device_subscription ADD COLUMN user_realm TEXT;
        ALTER TABLE sms_subscription ADD COLUMN user_realm TEXT;

        DROP TRIGGER guest_preference_deleted;
        ALTER TABLE preference RENAME TO preference_5;
        CREATE TABLE preference (
            application_id TEXT NOT NULL,
            owner_kind TEXT NOT NULL,
            owner_realm TEXT NOT NULL,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (application_id, owner_kind, owner_realm, owner, key)
        ) STRICT;
        INSERT INTO preference SELECT application_id, owner_kind, '', owner, key, value FROM preference_5;
        DROP TABLE preference_5;
        CREATE TRIGGER guest_preference_deleted AFTER DELETE ON preference BEGIN
            DELETE FROM guest_row
            WHERE kind = 'preference' AND key = old.application_id || char(31) || old.owner_kind || char(31) || old.owner
                || char(31) || old.key || iif(old.owner_realm = '', '', char(31) || old.owner_realm);
        END;
        """
}
