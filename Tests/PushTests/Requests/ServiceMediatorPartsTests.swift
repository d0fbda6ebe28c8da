import Core
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import Push

@Suite("A notification of several parts")
struct ServiceMediatorPartsTests {
    /// Responds by the type of the part.
    private final class PartTransport: PushTransport {
        typealias Channel = WNSChannel

        private let endings: [String: MediatorOutcome.Ending]
        let sent = Mutex<[String]>([])

        init(_ endings: [String: MediatorOutcome.Ending]) {
            self.endings = endings
        }

        func send(_ request: WNSRequest) async -> PushAnswer {
            let type = "wns/\(request.kind.rawValue)"
            sent.withLock { $0.append(type) }
            return PushAnswer(endings[type] ?? .delivered, serviceID: type)
        }

        func close() async {}
    }

    private func deliver(_ endings: [String: MediatorOutcome.Ending]) async -> (MediatorOutcome, sent: [String]) {
        let transport = PartTransport(endings)
        let mediator = ServiceMediator(
            settings: PushServiceSettings(), transports: [.init(service: .wns): transport], preview: nil,
            time: ManualTime())
        let options: JSONValue = [
            "WNS": [
                "toast": ["visual": ["binding": ["template": "ToastText01", "text": [["content": "a"]]]]],
                "badge": ["value": 1],
                "raw": ["payload": ["id": 7]],
            ]
        ]
        let outcome = await mediator.deliver(delivery(options, to: subscription(.windows)))
        return (outcome, transport.sent.withLock(\.self))
    }

    @Test("All parts are sent, in order")
    func all() async {
        let (outcome, sent) = await deliver([:])
        #expect(outcome.ending == .delivered)
        #expect(outcome.serviceID == "wns/raw")
        #expect(sent == ["wns/toast", "wns/badge", "wns/raw"])
    }

    @Test("A part that is refused is dropped, and the others go")
    func refusedPart() async {
        let (outcome, sent) = await deliver(["wns/toast": .refused(reason: "no toasts")])
        #expect(outcome.ending == .delivered)
        #expect(sent.count == 3)
        #expect(outcome.requests.count == 3)
    }

    @Test("The first reason counts if every part is refused")
    func allRefused() async {
        let (outcome, _) = await deliver([
            "wns/toast": .refused(reason: "first"), "wns/badge": .refused(reason: "second"),
            "wns/raw": .refused(reason: "third"),
        ])
        #expect(outcome.ending == .refused(reason: "first"))
    }

    @Test(
        "A part that must wait, or finds the device gone, ends the attempt",
        arguments: [.retry(after: nil, reason: "down"), .deviceGone(reason: "gone", asOf: nil)]
            as [MediatorOutcome.Ending])
    func ended(ending: MediatorOutcome.Ending) async {
        let (outcome, sent) = await deliver(["wns/badge": ending])
        #expect(outcome.ending == ending)
        #expect(sent == ["wns/toast", "wns/badge"])
    }
}
