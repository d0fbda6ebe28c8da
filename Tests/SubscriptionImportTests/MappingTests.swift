import Foundation
import PushModel
import TestSupport
import Testing

@testable import SubscriptionImport

@Suite("Mappings of a database's export", .defaultTimeLimit)
struct MappingTests {
    /// A dump in the form of mysqldump, with made-up columns.
    private static func dump() throws -> String {
        let devices = try (1...4).map { number in
            let token =
                number % 2 == 0 ? try ImportedStore.androidToken("t\(number)") : try ImportedStore.token("\(number)")
            let id = "0000000\(number)-1111-2222-3333-444444444444"
            return
                "(\(number),\((number + 1) / 2),\(number % 2 + 1),'\(id)','\(token)','\(number % 2 == 0 ? "Android" : "iOSnative")',NULL)"
        }
        return """
            -- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
            /*!40101 SET NAMES utf8 */;
            DROP TABLE IF EXISTS `NOTIFICATION_APPLICATION`;
            CREATE TABLE `NOTIFICATION_APPLICATION` (`ID` bigint(20) NOT NULL, `NAME` varchar(255), PRIMARY KEY (`ID`)) ENGINE=InnoDB;
            INSERT INTO `NOTIFICATION_APPLICATION` VALUES (1,'Shop'),(2,'Other');
            CREATE TABLE `NOTIFICATION_MEDIATOR` (`ID` bigint(20) NOT NULL, `ADAPTER` varchar(255), `SOURCE` varchar(255));
            INSERT INTO `NOTIFICATION_MEDIATOR` VALUES (1,'PushAdapter','Orders');
            CREATE TABLE `NOTIFICATION_USER` (
              `ID` bigint(20) NOT NULL AUTO_INCREMENT,
              `NAME` varchar(255) DEFAULT 'a,b);',
              `MEDIATOR_ID` bigint(20),
              `STATE` text,
              PRIMARY KEY (`ID`), KEY `X` (`NAME`)
            );
            INSERT INTO `NOTIFICATION_USER` VALUES (1,'O\\'Neill \\\\ x',1,'{\\"seen\\": 1}'),(2,'bjones',1,NULL);
            CREATE TABLE `NOTIFICATION_DEVICE` (`ID` bigint(20), `USER_ID` bigint(20), `APPLICATION_ID` bigint(20),
              `UUID` varchar(64), `DATA` varchar(512), `KIND` varchar(32), `CREATED` datetime);
            INSERT INTO `NOTIFICATION_DEVICE` VALUES \(devices.joined(separator: ","));
            -- Dump completed on 2026-01-01
            """
    }

    @Test("The proposal finds columns by the form of their values, and joins by their keys")
    func proposal() throws {
        let imported = try ImportedStore(["worklight.sql": try Self.dump()])
        let file = try imported.open("worklight.sql")
        #expect(file.ownMappings == nil)
        let (mapping, text) = try file.proposal()
        #expect(!mapping.isConfirmed)
        #expect(
            text == """
                # Check each line. Then set 'confirmed: true', and run the command again.
                confirmed: false

                # NOTIFICATION_APPLICATION (rows: 2): ID, NAME
                # NOTIFICATION_MEDIATOR (rows: 1): ID, ADAPTER, SOURCE
                # NOTIFICATION_USER (rows: 2): ID, NAME, MEDIATOR_ID, STATE
                # NOTIFICATION_DEVICE (rows: 4): ID, USER_ID, APPLICATION_ID, UUID, DATA, KIND, CREATED
                table: NOTIFICATION_DEVICE
                # A row of each of these tables for a row above it: TABLE: COLUMN = KEY
                join:
                  NOTIFICATION_APPLICATION: "APPLICATION_ID = ID"
                  NOTIFICATION_USER: "USER_ID = ID"
                  NOTIFICATION_MEDIATOR: "NOTIFICATION_USER.MEDIATOR_ID = ID"

                # Docs: docs/moving-devices.md
                columns:
                  application: NOTIFICATION_APPLICATION.NAME  # ids of the project's applications
                  device: UUID  # the form of device ids
                  platform: KIND  # names of platforms
                  token: DATA  # the form of tokens
                  user: NOTIFICATION_USER.NAME  # a guess: 2 different strings
                  adapter: NOTIFICATION_MEDIATOR.ADAPTER  # names of the project's adapters
                  eventSource: NOTIFICATION_MEDIATOR.SOURCE  # names of the adapters' event sources
                  state: NOTIFICATION_USER.STATE  # JSON objects, in another table

                # The same for all rows.
                values:

                # Values of the file, and their meaning: FIELD, and below it OLD: NEW
                translate:

                """, "\(text)")
        #expect(try ImportMapping(reading: text, named: "m.yaml").columns == mapping.columns)
    }

    @Test("A confirmed mapping imports the joined rows; samples show no token")
    func confirmed() throws {
        let imported = try ImportedStore(["worklight.sql": try Self.dump()])
        let file = try imported.open("worklight.sql")
        let text = try file.proposal().text.replacing("confirmed: false", with: "confirmed: true")
        let mapping = try ImportMapping(reading: text, named: "m.yaml")
        #expect(mapping.isConfirmed)
        let samples = try file.samples(mapping, named: "m.yaml")
        #expect(samples.count == 3 && samples[0][.user] == "O'Neill \\ x")
        #expect(samples.allSatisfy { ($0[.token]?.count ?? 0) < 16 })
        let report = try file.run(mapping, named: "m.yaml", into: imported.store) { _ in }
        #expect(report.added == 4 && report.refused == [:])
        #expect(
            try imported.subscriptions == [
                "O'Neill \\ x at 00000001-1111-2222-3333-444444444444/Other for PushAdapter.Orders",
                "O'Neill \\ x at 00000002-1111-2222-3333-444444444444/Shop for PushAdapter.Orders",
                "bjones at 00000003-1111-2222-3333-444444444444/Other for PushAdapter.Orders",
                "bjones at 00000004-1111-2222-3333-444444444444/Shop for PushAdapter.Orders",
            ])
    }

    @Test("Refused rows of a dump are counted by their numbers in the table")
    func refusedRows() throws {
        let text = try Self.dump().replacing("'Android'", with: "'Symbian'")
        let file = try ImportedStore(["worklight.sql": text]).open("worklight.sql")
        var mapping = try file.proposal().mapping
        mapping.columns[.platform] = .init("KIND")
        let report = try file.run(mapping, named: "m.yaml", into: nil) { _ in }
        #expect(report.dumpedTable == "NOTIFICATION_DEVICE")
        #expect(report.refused.values.map(\.lines) == [[2, 4]])
    }

    @Test("Shifted columns show no whole token, in samples or refusals", arguments: ["application", "platform"])
    func shifted(column: String) throws {
        let tokens = [try ImportedStore.token("1"), try ImportedStore.androidToken("2")]
        let order = ["application", "device", "platform", "token"].map {
            $0 == column ? "token" : $0 == "token" ? column : $0
        }
        let rows = tokens.map { "Shop,phone,Apple,\($0)" }
        let imported = try ImportedStore([
            "a.csv": ([order.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
        ])
        let file = try imported.open("a.csv")
        let mapping = try #require(file.ownMappings?.first)
        let report = try file.run(mapping, named: "a.csv", into: nil) { _ in }
        #expect(report.refused.count == 2)
        for text in try ["\(report)", "\(file.samples(mapping, named: "a.csv"))"] {
            for token in tokens { #expect(!text.contains(token) && !text.contains(token.prefix(40))) }
        }
    }

    @Test("The names of the project's parts stay in the comments of a proposed mapping")
    func comments() throws {
        let mapping = ImportMapping(table: "devices")
        let text = mapping.text(comments: [.eventSource: "the project has: A.b\nconfirmed: true\u{2028}x"], tables: [])
        #expect(text.contains("  # eventSource:  # the project has: A.b confirmed: true x\n"))
    }

    @Test(
        "A script in standard SQL is read with names in any case, backslashes as they are, and functions by their first argument"
    )
    func standardSQL() throws {
        let imported = try ImportedStore([
            "old.sql": """
            create table if not exists w.items (id integer, note varchar(20), made timestamp, tok varchar(200), n numeric(3));
            insert into w.items (id, note, made, tok, n) values (1, 'it''s \\', TO_TIMESTAMP('2016-01-01', 'YYYY-MM-DD'), '\(try ImportedStore.token("1"))', -5);
            """
        ])
        let file = try imported.open("old.sql")
        #expect(
            file.summaries == [
                .init(name: "items", source: "old.sql", rows: 1, columns: ["id", "note", "made", "tok", "n"])
            ])
        let mapping = try ImportMapping(
            reading: """
                table: ITEMS
                columns: {device: note, token: tok, user: made, alias: n}
                values: {application: Shop, eventSource: PushAdapter.Orders}
                """, named: "m.yaml")
        let sample = try file.samples(mapping, named: "m.yaml")[0]
        #expect(sample[.device] == "it's \\" && sample[.user] == "2016-01-01" && sample[.alias] == "-5", "\(sample)")
    }

    @Test("Exports in CSV, a file for each table, are joined like a dump; constants and translations fill the rest")
    func csv() throws {
        let imported = try ImportedStore([
            "devices.csv":
                "DEV;REF;OS;TOK\nphone-1;u1;1;\(try ImportedStore.token("1"))\nphone-2;u2;2;\(try ImportedStore.androidToken("2"))\n",
            "users.csv": "KEY;LOGIN\nu1;ann\nu2;bob\n",
        ])
        let file = try imported.open("devices.csv", "users.csv")
        let mapping = try ImportMapping(
            reading: """
                confirmed: true
                table: devices
                join:
                  users: REF = key
                columns:
                  device: DEV
                  platform: OS
                  token: TOK
                  user: users.LOGIN
                values:
                  application: Shop
                  eventSource: PushAdapter.Orders
                translate:
                  platform:
                    1: Apple
                    2: Android
                """, named: "m.yaml")
        let report = try file.run(mapping, named: "m.yaml", into: imported.store) { _ in }
        #expect(report.added == 2, "\(report)")
        #expect(
            try imported.subscriptions == [
                "ann at phone-1/Shop for PushAdapter.Orders", "bob at phone-2/Shop for PushAdapter.Orders",
            ])
    }

    @Test("Columns are also proposed by their names, and ids of an application that is not moved stay in their column")
    func names() throws {
        let imported = try ImportedStore([
            "devices.csv": "DEVICE_ID,USER_NAME,ALIAS,APP,TOK\nphone,ann,mine,Shop,\(try ImportedStore.token("1"))\n"
                + "pad,bob,mine,Gone,\(try ImportedStore.token("2"))\n"
        ])
        let file = try imported.open("devices.csv")
        var mapping = try file.proposal().mapping
        #expect(
            mapping.columns.mapValues(\.name) == [
                .device: "DEVICE_ID", .user: "USER_NAME", .alias: "ALIAS", .application: "APP", .token: "TOK",
            ])
        mapping.values[.eventSource] = "PushAdapter.Orders"
        let report = try file.run(mapping, named: "m.yaml", into: imported.store) { _ in }
        #expect(report.added == 1 && report.refused.keys.sorted() == ["there is no application 'Gone' in apps/"])
    }

    @Test(
        "A mistake in a mapping is an error with its line",
        arguments: [
            ("confirmed: maybe\ntable: devices", "m.yaml:1: confirmed: expected true or false"),
            ("confirmed: true\ntable: devices\n!x confirmed: false", "m.yaml:3: 'confirmed' exists twice"),
            ("table: devices\ncolumns: {user: A, !y user: B}", "m.yaml:2: 'user' exists twice"),
            ("confirmed: true", "m.yaml: expected 'table'"), ("tables: x", "m.yaml:1: there is no key 'tables'"),
            (
                "table: devices\ncolumns:\n  usr: A",
                "m.yaml:3: 'usr' is not a field; expected one of application, device"
            ),
            ("table: other\ncolumns:\n  user: A", "m.yaml:1: there is no table 'other'; there are: devices"),
            ("table: devices\ncolumns:\n  user: X", "m.yaml:3: there is no column 'X' in devices; there are: A, B"),
            (
                "table: devices\ncolumns:\n  user: users.A",
                "m.yaml:3: 'users.A': the table 'users' is neither 'table' nor in 'join'"
            ),
            ("table: devices\njoin:\n  users: A", "m.yaml:3: expected TABLE: COLUMN = KEY"),
            ("table: [", "m.yaml: not well-formed YAML"),
        ])
    func mistakes(text: String, message: String) throws {
        let imported = try ImportedStore(["devices.csv": "A,B\n1,2\n"])
        let file = try imported.open("devices.csv")
        let error = #expect(throws: SubscriptionImportError.self) {
            let mapping = try ImportMapping(reading: text, named: "m.yaml")
            _ = try file.run(mapping, named: "m.yaml", into: imported.store) { _ in }
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("A file without tokens is an error with its tables and columns")
    func noTokens() throws {
        let imported = try ImportedStore(["devices.csv": "A,B\n1,2\n"])
        let error = #expect(throws: SubscriptionImportError.self) { try imported.open("devices.csv").proposal() }
        #expect(error?.description == "devices.csv: no column has tokens or phone numbers; there are: devices (A, B)")
    }
}
