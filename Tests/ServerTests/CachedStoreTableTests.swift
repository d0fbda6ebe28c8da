import Core
import Foundation
import PushModel
import Synchronization
import Testing

@testable import Installation

@Suite("The store's data that the server caches")
struct CachedStoreTableTests {
    /// A store whose second read, the early one, takes its time.
    private final class SlowStore: Sendable {
        let value = Mutex(1)
        let reads = Mutex(0)
        let isReading = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)

        func read() -> Int {
            let found = value.withLock { $0 }
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            if number == 2 {
                isReading.signal()
                mayEnd.wait()
            }
            return found
        }
    }

    @Test("A read that began before a change never replaces what was read after it")
    func order() throws {
        // Which of the two would end last is up to the system.
        for _ in 0..<500 {
            let store = SlowStore()
            let table = try CachedStoreTable { () throws(StoreError) in store.read() }
            let ended = DispatchGroup()
            DispatchQueue.global().async(group: ended) { try? table.read() }
            store.isReading.wait()
            store.value.withLock { $0 = 2 }
            store.mayEnd.signal()
            try table.read()
            ended.wait()
            #expect(table.current == 2)
        }
    }
}
