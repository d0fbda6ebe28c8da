import Foundation
import Testing
import WorklightProject

@testable import Databases

@Suite("JDBC URLs")
struct DatabaseAddressTests {
    @Test(
        "A URL becomes an ODBC connection string",
        arguments: [
            (
                "jdbc:mysql://db:3307/books?useUnicode=true", "MariaDB",
                "SERVER={db};PORT={3307};DATABASE={books};CHARSET={utf8mb4};"
            ),
            (
                "jdbc:mariadb://[::1]/a%20b?useSSL=true", "MariaDB",
                "SERVER={::1};PORT={3306};DATABASE={a b};CHARSET={utf8mb4};FORCETLS={1};"
            ),
            (
                "jdbc:db2://db:50001/BOOKS:currentSchema=X;sslConnection=true;", "IBM DB2",
                "HOSTNAME={db};PORT={50001};DATABASE={BOOKS};PROTOCOL={TCPIP};SECURITY={SSL};CURRENTSCHEMA={X};"
            ),
            (
                "jdbc:oracle:thin:@db:1522:ORCL", "Oracle",
                "DBQ={(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1522))(CONNECT_DATA=(SID=ORCL)))};"
            ),
            ("jdbc:oracle:thin:@//db:1522/books.example", "Oracle", "DBQ={//db:1522/books.example};"),
            ("jdbc:oracle:thin:@db/books", "Oracle", "DBQ={//db:1521/books};"),
            (
                "jdbc:sqlserver://db:1434;databaseName=Books;encrypt=true", "ODBC Driver 18 for SQL Server",
                "SERVER={db,1434};Encrypt={yes};DATABASE={Books};"
            ),
            (
                #"jdbc:sqlserver://db\SQLEXPRESS;databaseName=Books"#, "ODBC Driver 18 for SQL Server",
                #"SERVER={db\SQLEXPRESS};Encrypt={no};DATABASE={Books};"#
            ),
            (
                "jdbc:jtds:sqlserver://db/Books;instance=I", "FreeTDS",
                #"SERVER={db\I};TDS_Version={7.4};ClientCharset={UTF-8};DATABASE={Books};"#
            ),
            (
                "jdbc:derby://db:1527/books;create=true", "IBM DB2",
                "HOSTNAME={db};PORT={1527};DATABASE={books};PROTOCOL={TCPIP};"
            ),
        ])
    func odbc(url: String, driver: String, expected: String) throws {
        guard case .odbc(let database, let address) = try DatabaseAddress(.init(url: url, user: "u", password: "p};{"))
        else {
            Issue.record("not an ODBC address")
            return
        }
        let text = ODBCConnectionString(database, address, driver: driver).text
        #expect(text == "DRIVER={\(driver)};\(expected)UID={u};PWD={p}};{};")
    }

    @Test(
        "PostgreSQL's URLs may lack parts",
        arguments: [
            ("jdbc:postgresql://db:5433/books", "db:5433", "books"),
            ("jdbc:postgresql:books", "localhost:5432", "books"),
            ("jdbc:postgresql://db/", "db:5432", nil), ("jdbc:postgresql://a:1,b:2/books", "a:1,b:2", "books"),
            ("jdbc:postgresql://[::1]:5433/books", "::1:5433", "books"), ("jdbc:postgresql:/", "localhost:5432", nil),
        ])
    func postgreSQL(url: String, place: String, database: String?) throws {
        guard case .postgreSQL(let address) = try DatabaseAddress(.init(url: url)) else {
            Issue.record("not a PostgreSQL address")
            return
        }
        #expect(address.text(defaultPort: 5432) == place)
        #expect(address.database == database)
    }

    @Test("User and password may be in the URL; the definition's own come first")
    func login() throws {
        let url = "jdbc:mysql://db/books?user=inner&password=s%26t"
        #expect(try DatabaseAddress(.init(url: url)).login == ["inner", "s&t"])
        #expect(try DatabaseAddress(.init(url: url, user: "outer", password: "x")).login == ["outer", "x"])
        #expect(try DatabaseAddress(.init(url: "jdbc:oracle:thin:scott/tiger@db:1521:X")).login == ["scott", "tiger"])
        #expect(try DatabaseAddress(.init(url: "jdbc:sqlserver://db;user=sa;password=pw")).login == ["sa", "pw"])
    }

    @Test(
        "A bad URL is refused with the form that was expected, without its password",
        arguments: [
            ("jdbc:mysql:books", "jdbc:mysql://host:port/database"),
            ("jdbc:postgresql://db:port/x", "jdbc:postgresql://host:port"),
            ("jdbc:postgresql://db:99999/x", "jdbc:postgresql://host:port"),
            ("jdbc:db2:BOOKS", "jdbc:db2://host:port/database"),
            ("jdbc:oracle:thin:scott/hidden-word@db", "jdbc:oracle:thin:@host:port:sid"),
            ("jdbc:oracle:oci:@db", "jdbc:oracle:thin:"),
            ("jdbc:sqlserver:db;password=hidden-word", "jdbc:sqlserver://host:port"),
            ("jdbc:derby:local", "network server"), ("jdbc:sqlite:", "jdbc:sqlite:folder/file.db"),
            ("jdbc:oracle:oci:@x", "jdbc:oracle:oci:@x is not complete"),
            ("jdbc:h2:mem:x?password=hidden-word", "names no supported database: expected jdbc:postgresql:"),
            ("mysql://lamp:hidden-word@db/x", "jdbc:mysql:"),
        ])
    func bad(url: String, form: String) throws {
        let error = try #require(throws: SQLConfigurationError.self) { try source(url) }
        #expect(error.description.hasPrefix("adapter Books: the URL "))
        #expect(error.description.contains(form))
        #expect(!error.description.contains("hidden-word"))
    }

    @Test("refuses a JNDI name, and names the replacement")
    func jndi() throws {
        let error = try #require(throws: SQLConfigurationError.self) {
            try SQLDataSource(policy: .init(.jndiName("jdbc/books")), adapter: "Books", folder: URL(filePath: "/tmp"))
        }
        #expect(error.problem.contains("jdbc/books"))
        #expect(error.problem.contains("<dataSourceDefinition>"))
    }
}

extension DatabaseAddress {
    fileprivate var login: [String?] {
        switch self {
        case .sqlite: []
        case .postgreSQL(let address), .odbc(_, let address): [address.user, address.password]
        }
    }
}
