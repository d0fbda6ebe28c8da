import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("A clock that is set, seen by the store", .everyStore)
struct SetClockTests {
    private static let day = 86_400.0
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A delivery made by a clock that ran a day ahead is handed out all the same")
    func fromTheFuture() throws {
        let future = delivery(age: -Self.day)
        try store.outbox.enqueue([future])
        #expect(try store.nextDue() == .distantPast)
        #expect(try store.claimAtNoon().map(\.id) == [future.id])
    }
}
