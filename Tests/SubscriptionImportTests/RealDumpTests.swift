import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@testable import SubscriptionImport

@Suite("A dump that mariadb-dump makes", .defaultTimeLimit)
struct RealDumpTests {
    /// Starts a server, runs `load.sql` in it, and dumps the database to `dump.sql`.
    private static let script = """
        PATH=$PATH:/usr/sbin
        user=""
        if [ "$(id -u)" = 0 ]; then user="--user=mysql"; chown mysql .; fi
        mariadb-install-db --no-defaults $user --datadir="$1/data" --auth-root-authentication-method=normal \\
            --skip-test-db --skip-name-resolve > log 2>&1 || fail
        mariadbd --no-defaults $user --datadir="$1/data" --socket=socket --bind-address=127.0.0.1 --port="$2" \\
            --innodb-flush-log-at-trx-commit=0 --skip-name-resolve --pid-file="$1/pid" >> log 2>&1 &
        pid=$!
        cd data || exit 1
        ready_when mariadb-admin --no-defaults -u root -S ./socket ping
        mariadb --no-defaults -u root -S ./socket -e "CREATE DATABASE wrklght CHARACTER SET utf8mb4" || fail
        mariadb --no-defaults -u root -S ./socket --default-character-set=utf8mb4 wrklght < "$3" >> log 2>&1 || fail
        mariadb-dump --no-defaults -u root -S ./socket wrklght > "$4" 2>> log || fail
        """

    private static func load(_ count: Int) throws -> String {
        let rows = try (0..<count).map { number in
            "(\(number), \(number / 2), 'device-\(number)', '\(try ImportedStore.token("\(number)"))', '{\"text\": \"a\\\\\"b\"}', NOW())"
        }
        let users = (0..<(count + 1) / 2).map { "(\($0), 'O''Neill \\\\ ü \($0)', x'68656C6C6F')" }
        return """
            CREATE TABLE NOTIFICATION_USER (ID bigint PRIMARY KEY, USERID varchar(255) NOT NULL DEFAULT 'x;)', EXTRA blob, KEY k (USERID));
            CREATE TABLE NOTIFICATION_DEVICE (ID bigint PRIMARY KEY, USER_ID bigint, DEVICE varchar(255), TOKEN varchar(512), OPTIONS text, CREATED datetime,
              CONSTRAINT c FOREIGN KEY (USER_ID) REFERENCES NOTIFICATION_USER (ID)) COMMENT = 'devices; of users';
            INSERT INTO NOTIFICATION_USER VALUES \(users.joined(separator: ",\n"));
            INSERT INTO NOTIFICATION_DEVICE VALUES \(rows.joined(separator: ",\n"));
            """
    }

    @Test("is read with its comments, keys, strings and binary columns, and all of its rows are taken")
    func rows() throws {
        let count = 1000
        let imported = try ImportedStore(["load.sql": try Self.load(count)])
        // The server may run as another user.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: imported.folder.path)
        let dump = FileManager.default.temporaryDirectory.appending(path: "dump-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: dump) }
        let server = try WatchedServer(
            "dump", [imported.folder.path("load.sql"), dump.path], script: Self.script, stop: "KILL")
        let file = try withExtendedLifetime(server) {
            try SubscriptionImport([dump], target: ImportedStore.target) { _, _ in }
        }
        #expect(file.summaries.map(\.rows).sorted() == [count / 2, count])
        var text = try file.proposal().text
        #expect(text.contains(#"NOTIFICATION_USER: "USER_ID = ID""#), "\(text)")
        text.replace("confirmed: false", with: "confirmed: true")
        text.replace("values:\n", with: "values:\n  application: Shop\n  eventSource: PushAdapter.Orders\n")
        text.replace(#/  #? ?device:.*\n/#, with: "  device: DEVICE\n")
        text.replace(#/  user:.*\n/#, with: "  user: NOTIFICATION_USER.USERID\n")
        let mapping = try ImportMapping(reading: text, named: "m.yaml")
        let report = try file.run(mapping, named: "m.yaml", into: imported.store) { _ in }
        #expect(report.added == count && report.refused == [:], "\(report) \(text)")
        let first = try imported.store.deviceSubscriptions(matching: SubscriptionFilter(deviceID: "device-7"))
        #expect(first.map(\.userID) == [#"O'Neill \ ü 3"#] && first[0].options == ["text": #"a"b"#])
    }
}
