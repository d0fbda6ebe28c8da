import PushModel
import Testing

@testable import Push

@Suite("The list of push channels")
struct PushChannelTests {
    @Test("Each channel has one service, but for Windows Phone 8", arguments: DeliveryChannel.allCases)
    func serves(channel: DeliveryChannel) {
        let count = PushChannels.all.count { $0.serves == channel }
        #expect(count == (channel == .devices(.windowsPhone) ? 0 : 1))
    }
}
