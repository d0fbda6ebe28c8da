import PrometheusExporter
import PushModel
import Testing

@testable import Storage

@Suite("Metrics of the store")
struct StoreMetricsTests {
    @Test("have the time of each transaction, and count a full disk")
    func fullDisk() throws {
        let folder = try StoreFolder()
        // As long as it is open, the other connection need not write to open the store.
        let store = try SQLStore(folder: folder.path)
        let registry = PrometheusRegistry()
        let full = try SQLiteDatabase(
            folder: folder.path, busyTimeout: .seconds(5), pragmas: ["PRAGMA max_page_count = 1"],
            metrics: StoreMetrics(factory: registry))
        _ = try full.read { (transaction: any StoreTransaction) in
            try transaction.first(Int.self, "SELECT count(*) FROM delivery")
        }
        #expect(throws: StoreError.self) {
            try full.write { (transaction: any StoreTransaction) in
                try transaction.run("CREATE TABLE big AS SELECT randomblob(100000) AS bytes", [])
            }
        }
        let lines = registry.text().split(separator: "\n")
        for line in [
            #"lamplighter_store_errors_total{code="diskFull"} 1"#,
            #"lamplighter_store_errors_total{code="locked"} 0"#,
            #"lamplighter_store_seconds_count{operation="read"} 1"#,
            #"lamplighter_store_seconds_count{operation="write"} 1"#,
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        withExtendedLifetime(store) {}
    }
}
