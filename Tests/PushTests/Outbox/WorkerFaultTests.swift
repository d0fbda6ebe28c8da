import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Push
@testable import Storage

@Suite("Bad days, on the real store", .defaultTimeLimit)
struct WorkerFaultTests {
    @Test("One failing, one hanging and one refused delivery among thousands delay no other")
    func poison() async throws {
        let poison = [delivery(), delivery(), delivery()]
        let fixture = try WorkerFixture(
            poison + (0..<2000).map { _ in delivery() },
            ScriptedMediator { delivery in
                switch poison.firstIndex(where: { $0.id == delivery.id }) {
                case 0: MediatorOutcome(.retry(after: nil, reason: "500"), requests: [])
                case 1: MediatorOutcome(.refused(reason: "BadPayload"), requests: [])
                default: MediatorOutcome(.delivered, serviceID: "1", requests: [])
                }
            },
            settings: OutboxWorkerSettings(concurrency: 8, batchSize: 100))
        try await fixture.run {
            try await fixture.outbox.wait(for: [.delivered: 2001, .refused: 1, .queued: 1])
            #expect(fixture.time.now == ManualTime.start)
        }
    }

    @Test("A service that never responds fills its own channel, and no other waits for it")
    func muteService() async throws {
        let mute = Mute(.devices(.apple))
        let apple = (0..<50).map { delivery(to: subscription(.apple, device: "a\($0)")) }
        let android = (0..<50).map { delivery(to: subscription(.android, device: "b\($0)")) }
        let outbox = try FailingOutbox(apple + android)
        let worker = OutboxWorker(
            name: "me", outbox: outbox, mediator: mute, pressure: OutboxBackpressure(),
            time: outbox.time, logger: LogRecorder().logger,
            settings: OutboxWorkerSettings(concurrency: 2, batchSize: 4, recordInterval: .zero))
        let run = Task { await worker.run() }
        try await mute.asked.wait { $0 >= 2 }
        try await waitUntil { try outbox.counts()[.delivered] == 50 }
        #expect(try outbox.deliveries(state: .delivered, limit: 99).map(\.id) == android.reversed().map(\.id))
        run.cancel()
        await run.value
        #expect(try outbox.counts() == [.delivered: 50, .queued: 50])
    }

    @Test("A service that is down for longer than every back-off step gets everything in the end, under the same ids")
    func longOutage() async throws {
        let isDown = AwaitableValue(true)
        let deliveries = (0..<20).map { _ in delivery(timeToLive: 86_400) }
        let fixture = try WorkerFixture(
            deliveries,
            ScriptedMediator { _ in
                MediatorOutcome(isDown.value ? .retry(after: nil, reason: "503") : .delivered, requests: [])
            },
            settings: OutboxWorkerSettings(longestSleep: .seconds(100_000), purgeInterval: .seconds(1_000_000)))
        try await fixture.run {
            for seconds in [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600] {
                try await fixture.time.waitForSleepers(.seconds(seconds))
                fixture.time.advance(by: .seconds(seconds))
            }
            try await fixture.time.waitForSleepers(.seconds(600))
            isDown.update { $0 = false }
            fixture.time.advance(by: .seconds(600))
            try await fixture.outbox.wait(for: [.delivered: 20])
        }
        let attempts = Dictionary(grouping: fixture.mediator.state.value.attempts, by: \.id).mapValues(\.count)
        #expect(attempts == Dictionary(uniqueKeysWithValues: deliveries.map { ($0.id, 13) }))
    }

    @Test("A full disk throws to the caller, writes nothing in part, and the worker goes on")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let fixture = WorkerFixture(try FailingOutbox(in: folder))
        let accepted = [delivery(), delivery()]
        _ = try fixture.sink.submit(accepted)
        let full = try SQLStore(
            folder: folder.path, busyTimeout: .seconds(5), pragmas: ["PRAGMA max_page_count = 1"])
        let sink = OutboxSink(outbox: full.outbox, pressure: fixture.pressure, worker: fixture.worker)
        let error = #expect(throws: StoreError.self) { try sink.submit((0..<1000).map { _ in delivery() }) }
        #expect(error?.code == .diskFull)
        #expect(fixture.pressure.waiting == 2)
        #expect(try fixture.outbox.depth().waiting == 2)
        try await fixture.run { try await fixture.outbox.wait(for: [.delivered: 2]) }
        #expect(Set(fixture.mediator.state.value.attempts.map(\.id)) == Set(accepted.map(\.id)))
    }

    @Test("A locked database loses and repeats nothing, and everything is recorded afterwards")
    func lockedDatabase() async throws {
        let folder = try TemporaryFolder()
        let outbox = try FailingOutbox([delivery(), delivery()], in: folder, busyTimeout: .milliseconds(20))
        let fixture = WorkerFixture(outbox, ScriptedMediator(isHeld: true))
        let other = try SQLStore(folder: folder.path, busyTimeout: .noLimit)
        let (held, letGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(2)
            let threads = ThreadPool(name: "test", threads: 2)
            threads.submit {
                try? other.database.write { _ in
                    held.signal()
                    letGo.wait()
                }
            }
            await threads.run { held.wait() }
            fixture.mediator.letGo()
            try await fixture.log.waitForStoreFailures(1)
            fixture.time.advance(by: .seconds(1))
            try await fixture.log.waitForStoreFailures(2)
            #expect(try fixture.outbox.counts() == [.sending: 2])
            letGo.signal()
            while try fixture.outbox.counts() != [.delivered: 2] {
                try Task.checkCancellation()
                fixture.time.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        #expect(fixture.mediator.state.value.attempts.count == 2)
    }

    @Test("Deliveries to one device arrive in their order, in spite of retries")
    func order() async throws {
        let deliveries = (0..<60).map { number in
            delivery(["n": .number(Double(number / 4))], to: subscription(device: "phone \(number % 4)"))
        }
        let fixture = try WorkerFixture(
            deliveries,
            ScriptedMediator { delivery in
                let isRepeated = delivery.attempts == 1 && delivery.options["n"]?.number?.remainder(dividingBy: 3) == 0
                return MediatorOutcome(
                    isRepeated ? .retry(after: .zero, reason: "503") : .delivered, serviceID: "1", requests: [])
            },
            settings: OutboxWorkerSettings(
                retry: RetryPolicy(base: .zero, cap: .zero), longestSleep: .seconds(1000)))
        try await fixture.run { try await fixture.outbox.wait(for: [.delivered: 60]) }
        var last: [String: Double] = [:]
        for attempt in fixture.mediator.state.value.attempts {
            let (device, number) = (attempt.target.deviceID ?? "", attempt.options["n"]?.number ?? -1)
            #expect(number == (last[device] ?? -1) + (attempt.attempts == 1 ? 1 : 0))
            last[device] = number
        }
        #expect(last == ["phone 0": 14, "phone 1": 14, "phone 2": 14, "phone 3": 14])
    }
}

/// Delivers at once, but never responds for one channel.
private final class Mute: Mediator {
    let asked = AwaitableValue(0)
    private let channel: DeliveryChannel

    init(_ channel: DeliveryChannel) {
        self.channel = channel
    }

    func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        if delivery.target.channel == channel {
            asked.update { $0 += 1 }
            try? await AwaitableValue(()).wait { _ in false }
        }
        return MediatorOutcome(.delivered, serviceID: "1", requests: [])
    }
}
