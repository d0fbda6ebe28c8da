import PushModel
import Testing

@testable import Push

@Suite("The list of push channels")
struct PushChannelTests {
    @Test("Each delivery channel but Windows Phone 8 has one push service", arguments: DeliveryChannel.allCases)
    func serves(channel: DeliveryChannel) {
        let count = PushChannels.all.count { $0.serves == channel }
        #expect(count == (channel == .devices(.windowsPhone) ? 0 : 1))
    }
}
