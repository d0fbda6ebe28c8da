import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("The activity of servers", .everyStore)
struct ActivityTests {
    let folder: StoreFolder
    let store: SQLStore
    /// The start of an interval of each length.
    private let start = Date(timeIntervalSince1970: 1_699_992_000)

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func activity(calls: Int, waiting: Int = 0, oldestDelivery: Double = 0) -> Activity {
        var activity = Activity()
        (activity.calls, activity.failedCalls, activity.errors) = (calls, 1, 2)
        (activity.delivered, activity.previewed, activity.refused, activity.expired) = (3, 4, 5, 6)
        (activity.waiting, activity.oldestDelivery, activity.pollLateness) = (
            waiting, oldestDelivery, oldestDelivery / 2
        )
        return activity
    }

    @Test("Counts of an interval are summed, and the largest of other values counts, over all servers")
    func intervals() throws {
        try store.record(activity(calls: 1, waiting: 7, oldestDelivery: 0.5), of: "a", at: start + 1)
        try store.record(activity(calls: 10, waiting: 3, oldestDelivery: 1.5), of: "b", at: start + 11)
        try store.record(activity(calls: 100), of: "a", at: start + 21)
        let fine = try store.activity(.fine, since: start, interval: 20)
        #expect(fine.map(\.start) == [start, start + 20])
        var sum = activity(calls: 11, waiting: 7, oldestDelivery: 1.5)
        (sum.failedCalls, sum.errors, sum.delivered, sum.previewed, sum.refused, sum.expired) = (2, 4, 6, 8, 10, 12)
        #expect(fine.map(\.activity) == [sum, activity(calls: 100)])
        #expect(try store.activity(.fine, since: start + 20, interval: 20).map(\.start) == [start + 20])
        let coarse = try store.activity(.coarse, since: start, interval: 600)
        #expect(coarse.map(\.start) == [start])
        #expect(coarse.first?.activity.calls == 111 && coarse.first?.activity.waiting == 7)
    }

    @Test("A record older than its resolution's lifetime is removed with the next one")
    func bounded() throws {
        for resolution in ActivityResolution.allCases {
            try store.record(activity(calls: 1), of: "a", at: start)
            let later = start + Double(resolution.life) + Double(resolution.step)
            try store.record(activity(calls: 2), of: "a", at: later)
            let kept = try store.activity(resolution, since: start - 600, interval: resolution.step)
            #expect(!kept.contains { $0.start == start } && kept.last?.activity.calls == 2)
        }
    }
}

@Suite("Blocked devices", .everyStore)
struct DeviceBlockTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A device is blocked under the id that its app claims, once, until it is unblocked")
    func block() throws {
        let device = BlockedDevice(applicationID: "Reader", deviceID: "phone", blockedAt: noon)
        try store.block(device)
        try store.block(BlockedDevice(applicationID: "Reader", deviceID: "phone", blockedAt: noon + 9))
        try store.block(BlockedDevice(applicationID: "Other", deviceID: "phone", blockedAt: noon))
        #expect(try store.blockedDevices().map(\.applicationID) == ["Other", "Reader"])
        #expect(try store.blockedDevices().last == device)
        #expect(try store.unblock(device))
        #expect(try !store.unblock(device))
        #expect(try store.blockedDevices().map(\.applicationID) == ["Other"])
    }

    @Test("A device is last seen when its app last sent its token")
    func lastSeen() throws {
        try store.register(registration("phone"))
        let position = DevicePosition(applicationID: "Reader", deviceID: "phone")
        let unknown = DevicePosition(applicationID: "Reader", deviceID: "none")
        _ = try store.lastSeen([position, unknown])
        try folder.run("UPDATE device_registration SET confirmed_at = \(noon.timeIntervalSince1970)")
        #expect(try store.lastSeen([position, unknown]) == [position: noon])
    }
}
