import AdapterRuntime
import BackEndHTTP
import Core
import Databases
import Foundation
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("SQL, as scripts call it")
struct SQLBindingTests {
    private static let connectivity = """
        <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
        <url>jdbc:sqlite:data.db</url></dataSourceDefinition></connectionPolicy></connectivity>
        """

    private func project(_ script: String, connectivity: String = connectivity) async throws -> TestProject {
        try await TestProject(
            """
            var create = WL.Server.createSQLStatement("create table t (id integer, name text, note text)");
            var insert = WL.Server.createSQLStatement("insert into t values (?, ?, ?)");
            var select = WL.Server.createSQLStatement("select * from t where name = ? order by id");
            function sql(statement, parameters) {
                return WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: parameters });
            }
            \(script)
            """, connectivity: connectivity)
    }

    @Test("Rows come back as objects, NULL as null, and updates as a count")
    func rows() async throws {
        let project = try await project(
            """
            function run() {
                sql(create);
                var inserted = sql(insert, [1, 'ü', null]);
                sql(insert, ['2', 'ü', 'x']);
                return { inserted: inserted, selected: sql(select, ['ü']) };
            }
            """)
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"inserted":{"isSuccessful":true,"updateStatementResult":{"updateCount":1}},"#
                + #""selected":{"isSuccessful":true,"resultSet":[{"id":1,"name":"ü","note":null},{"id":2,"name":"ü","note":"x"}]}}"#
        )
    }

    @Test("A relative path starts at the project, and a string serves as a statement, as in 8.0")
    func text() async throws {
        let project = try await project("function run() { return sql('select 1 as one') }")
        #expect(await project.call() == #"{"isSuccessful":true,"resultSet":[{"one":1}]}"#)
        #expect(FileManager.default.fileExists(atPath: project.folder.url.appending(path: "data.db").path))
    }

    @Test("A call fails and leaves the database alone where its stand-in does not open")
    func brokenStandIn() async throws {
        let project = try await project("function run() { return sql('select 1 as one') }")
        var services = project.services
        services.standIns = BrokenStandIns()
        let runtime = AdapterRuntime(project: Project(reading: project.folder.url), services: services)
        await runtime.load()
        let answer = await runtime.invoke(adapter: "A", procedure: "run", parameters: "[]").json
        #expect(answer.contains("no room for it"))
        #expect(!FileManager.default.fileExists(atPath: project.folder.url.appending(path: "data.db").path))
    }

    @Test("A call made from IBM's template, which passes a parameter to a statement that has none, works")
    func template() async throws {
        let project = try await TestProject(
            """
            var procedure1Statement = WL.Server.createSQLStatement("select 1 as one");
            function procedure1(param) {
                return WL.Server.invokeSQLStatement({
                    preparedStatement : procedure1Statement,
                    parameters : [param]
                });
            }
            function run(param) { return procedure1(param); }
            """, connectivity: Self.connectivity)
        for parameters in ["[]", "[5]"] {
            #expect(await project.call(parameters) == #"{"isSuccessful":true,"resultSet":[{"one":1}]}"#)
        }
        let warnings = project.log.messages(at: .warning).filter {
            $0.hasPrefix("adapters/A/A-impl.js:3: 1 parameter was ignored")
        }
        #expect(warnings.count == 1)
    }

    @Test(
        "An adapter with sql.exactNumbers reads large numbers as strings with all their digits",
        arguments: [
            (RuntimeSettings.AdapterSelection.none, "9007199254740992"), (.all, #""9007199254740993""#),
            (.named(["B", "A"]), #""9007199254740993""#), (.named(["B"]), "9007199254740992"),
        ])
    func exactNumbers(selection: RuntimeSettings.AdapterSelection, expected: String) async throws {
        var settings = RuntimeSettings.patient
        settings.exactNumbers = selection
        let project = try await TestProject(
            "function run() { return WL.Server.invokeSQLStatement({ preparedStatement: 'select 9007199254740993 as n' }) }",
            connectivity: Self.connectivity, settings: settings)
        #expect(await project.call() == #"{"isSuccessful":true,"resultSet":[{"n":\#(expected)}]}"#)
    }

    @Test("SQL in a parameter is only a value")
    func injection() async throws {
        let project = try await project(
            "function run(name) { sql(create); sql(insert, [1, 'a', '']); return sql(select, [name]) }")
        let answer = await project.call(#"["' or '1'='1'; drop table t; --"]"#)
        #expect(answer == #"{"isSuccessful":true,"resultSet":[]}"#)
    }

    @Test("A failed statement returns the database's message and the query, and is logged with its code")
    func failure() async throws {
        let project = try await project("function run() { return sql('select nope from nowhere') }")
        let answer = await project.call()
        #expect(answer.hasPrefix(#"{"isSuccessful":false,"errors":["Runtime: no such table: nowhere"#))
        #expect(answer.contains(#"\nPerformed query:\nselect nope from nowhere"]"#))
        #expect(project.log.messages(at: .error)[0].contains("A-impl.js:5: FWLST0906E: no such table: nowhere"))
    }

    @Test("A missing driver is logged with its code and what to install")
    func missingDriver() async throws {
        let project = try await project(
            "function run() { return sql('select 1') }",
            connectivity: Self.connectivity.replacing("jdbc:sqlite:data.db", with: "jdbc:oracle:thin:@localhost:1521:x")
        )
        #expect(await project.call().contains(#""isSuccessful":false"#))
        #expect(project.log.messages(at: .error)[0].hasPrefix("adapters/A/A-impl.js:5: FWLST0905E: "))
    }

    @Test("custom-db properties define the data source that a placeholder on a separate line names")
    func customDatabase() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML(
                "A",
                connectivity: """
                    <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy">
                    <dataSourceJNDIName>
                        ${shop.db}
                    </dataSourceJNDIName></connectionPolicy></connectivity>
                    """),
            "adapters/A/A-impl.js":
                "function run() { return WL.Server.invokeSQLStatement({ preparedStatement: 'select 1 as one' }) }",
            "server/conf/worklight.properties": """
            shop.db=java:comp/env/jdbc/shop
            custom-db.1.relative-jndi-name=jdbc/shop
            custom-db.1.driver=org.sqlite.JDBC
            custom-db.1.url=jdbc:sqlite::memory:
            """,
        ])
        #expect(await project.call() == #"{"isSuccessful":true,"resultSet":[{"one":1}]}"#)
    }

    @Test("A JNDI name is read from worklight.properties; a missing one is an error with the remedy")
    func jndi() async throws {
        let xml = adapterXML(
            "A",
            connectivity: """
                <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy">
                <dataSourceJNDIName>jdbc/data</dataSourceJNDIName></connectionPolicy></connectivity>
                """)
        let script = "function run() { return WL.Server.invokeSQLStatement({ preparedStatement: 'select 1 as one' }) }"
        let known = try await TestProject(files: [
            "adapters/A/A.xml": xml, "adapters/A/A-impl.js": script,
            "server/conf/worklight.properties": "jndi.jdbc/data.url=jdbc:sqlite::memory:",
        ])
        #expect(await known.call() == #"{"isSuccessful":true,"resultSet":[{"one":1}]}"#)
        let unknown = try await TestProject(files: ["adapters/A/A.xml": xml, "adapters/A/A-impl.js": script])
        #expect(
            await unknown.call().contains(#"dataSourceJNDIName \"jdbc/data\" means a data source of an application"#))
        // In production only the log names the adapter.
        var settings = RuntimeSettings.patient
        settings.showsFailureDetails = false
        let production = try await TestProject(
            files: ["adapters/A/A.xml": xml, "adapters/A/A-impl.js": script], settings: settings)
        let answer = await production.call()
        let match = try #require(
            answer.firstMatch(of: /"Runtime: the data source's settings are invalid \(error (\w+)\)"/))
        let line = try #require(production.log.lines.value.first { $0.metadata["error"] == String(match.1) })
        #expect(line.message.hasPrefix("adapters/A/A-impl.js:1: FWLST0905E: adapter A: dataSourceJNDIName"))
    }

    @Test("Dates, booleans and bytes are parameters; objects and functions are not")
    func parameters() async throws {
        let project = try await project(
            """
            function run(x) {
                if (x) return sql('select ?', [x]);
                return sql('select ? as d, ? as b, hex(?) as h, ? as n', [new Date(0), true, new Uint8Array([1, 255]), 1.5]);
            }
            """)
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"resultSet":[{"d":"1970-01-01T00:00:00.000Z","b":1,"h":"01FF","n":1.5}]}"#)
        #expect(await project.call(#"[{"a":1}]"#).contains("invokeSQLStatement: 'parameters[0]' must be a string"))
    }

    @Test("Invalid options are an error with the option's name")
    func wrongOptions() async throws {
        let project = try await project("function run(options) { return WL.Server.invokeSQLStatement(options) }")
        #expect(await project.call("[1]").contains("invokeSQLStatement: expected an object"))
        #expect(await project.call("[{}]").contains("'preparedStatement' must be a result of createSQLStatement"))
        #expect(
            await project.call(#"[{"preparedStatement":"x","transformation":{"type":"xslFile"}}]"#)
                .contains("'transformation' by 'xslFile' is not available"))
        let procedure = try await self.project(
            "function run(options) { return WL.Server.invokeSQLStoredProcedure(options) }")
        #expect(await procedure.call("[{}]").contains("invokeSQLStoredProcedure: 'procedure' must be a string"))
        #expect(await procedure.call(#"[{"procedure":"p"}]"#).contains(#""isSuccessful":false"#))
    }

    @Test("An adapter without SQL connectivity is an error when it is loaded")
    func noConnectivity() async throws {
        let project = try await TestProject("var s = WL.Server.createSQLStatement('select 1');")
        #expect(
            project.problems.contains {
                $0.message.contains("createSQLStatement: adapters/A/A.xml has no SQL connectivity")
            })
    }

    @Test("A transaction that a statement leaves open is rolled back")
    func transaction() async throws {
        let project = try await project(
            """
            function run() {
                sql(create);
                sql('begin');
                sql(insert, [1, 'a', '']);
                sql('rollback');
                return sql(select, ['a']);
            }
            """)
        #expect(await project.call().contains(#""resultSet":[{"id":1,"#))
        #expect(project.log.messages(at: .warning).contains { $0.contains("left a transaction open") })
    }

    @Test("a result of many megabytes comes through")
    func largeResult() async throws {
        let count = TestExtent.size(5000, full: 50_000)
        var settings = RuntimeSettings.patient
        settings.setForAll {
            $0.heap = 1 << 30
            // Its time is not the matter.
            ($0.wallClock, $0.cpuTime) = (.noLimit, .noLimit)
        }
        let project = try await TestProject(
            """
            function run() {
                var result = WL.Server.invokeSQLStatement({ preparedStatement:
                    "with recursive n(i) as (select 1 union all select i + 1 from n where i < \(count)) " +
                    "select printf('%.1000c', 'x') as text from n" });
                return { rows: result.resultSet.length, last: result.resultSet[\(count - 1)].text.length };
            }
            """, connectivity: Self.connectivity, settings: settings)
        #expect(await project.call() == #"{"isSuccessful":true,"rows":\#(count),"last":1000}"#)
    }

    @Test("A String object, as Java programmers write it, is a string")
    func boxed() async throws {
        let project = try await project(
            """
            function run() {
                sql(create);
                sql(insert, [new Number(1), new String('%a%'), new String('b')]);
                return sql(new String("select * from t where name = ?"), [new String('%a%')]);
            }
            """)
        #expect(await project.call() == #"{"isSuccessful":true,"resultSet":[{"id":1,"name":"%a%","note":"b"}]}"#)
    }
}

private struct BrokenStandIns: BackEndStandIns {
    func http(for adapter: String) -> (any BackEndStandIn)? { nil }

    func database(for adapter: String) throws(SQLConfigurationError) -> SQLDataSource? {
        throw SQLConfigurationError(adapter: adapter, problem: "no room for it")
    }
}
