import Delivery
import Logging
import PushModel
import Synchronization

/// Decides whose fault it is when APNs does not know a device token (`BadDeviceToken`, `DeviceTokenNotForTopic`): the
/// device's, which goes then, or the configuration's, which names the wrong environment or the wrong topic. Then nothing may
/// be removed, since every token would be.
///
/// The two look alike in one answer and differ in many: with the wrong environment no token at all is known. So one judge for
/// each topic of a connection looks at the last 100 devices that were answered since the start, however long ago: *known* ones
/// (delivered, or 410: Apple knew the token) and *foreign* ones. A foreign token
///
/// - goes when at least one in five of those devices is known, so that environment and topic are proved right: also a
///   lone bad token, and also when half of all tokens are bad;
/// - otherwise stays, and its message is tried again in a minute, as long as fewer than ten devices are foreign: the first
///   ones, before anything is known, and the lone device of an app that nobody else has;
/// - otherwise means a wrong environment: an error in the log, and the topic's messages all wait. After a minute one
///   message is let through, later one every five minutes; the first known token ends the alarm.
///
/// A device counts once however often it is tried. A process cannot change its environment while it runs, and a restart
/// begins with nothing known, so that old proof cannot mislead.
final class APNsTokenJudge: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The device's subscription is to go.
        case gone
        /// It cannot be said yet.
        case unknown(wait: Duration)
        /// The environment or the topic is wrong.
        case wrongEnvironment(wait: Duration, reason: String)
    }

    /// The devices that were last answered, in a ring.
    private struct Window {
        var devices: [(device: Int, isKnown: Bool)] = []
        var next = 0
        var foreign = 0

        mutating func add(_ device: Int, isKnown: Bool) {
            // Known ones come by the thousand a second and are many anyway; foreign ones are few and are tried again.
            if foreign > 0 || !isKnown, let index = devices.firstIndex(where: { $0.device == device }) {
                foreign += (isKnown ? 0 : 1) - (devices[index].isKnown ? 0 : 1)
                devices[index].isKnown = isKnown
                return
            }
            if devices.count < APNsTokenJudge.size {
                devices.append((device, isKnown))
            } else {
                if !devices[next].isKnown { foreign -= 1 }
                devices[next] = (device, isKnown)
                next = (next + 1) % APNsTokenJudge.size
            }
            if !isKnown { foreign += 1 }
        }
    }

    static let size = 100
    static let foreignForAlarm = 10
    static let firstPause = Duration.seconds(60)

    private let breaker: CircuitBreaker
    private let window = Mutex(Window())
    private let alarm: String

    /// - Parameter environment: for the alarm.
    init(topic: String, environment: String, time: any TimeSource, logger: Logger) {
        breaker = CircuitBreaker(
            name: "APNs (\(environment)) for \(topic)", firstPause: Self.firstPause, time: time, logger: logger)
        alarm = """
            APNs (\(environment)) knows hardly any of the device tokens of \(topic): the environment or the topic is \
            wrong. No device is removed. Set the application's APNs environment (production for the App Store, \
            TestFlight and enterprise apps, sandbox for builds from Xcode) and its topic, and start again
            """
    }

    /// Whether a message may go.
    func admit() -> CircuitBreaker.Admission { breaker.admit() }

    /// APNs knew the token.
    ///
    /// - Parameter device: names the device, in whatever way.
    func known(_ device: String) {
        window.withLock { $0.add(device.hashValue, isKnown: true) }
        breaker.succeeded()
    }

    /// APNs did not know the token.
    func foreign(_ device: String) -> Verdict {
        let (devices, foreign) = window.withLock { window in
            window.add(device.hashValue, isKnown: false)
            return (window.devices.count, window.foreign)
        }
        if (devices - foreign) * 5 >= devices { return .gone }
        guard foreign >= Self.foreignForAlarm else { return .unknown(wait: Self.firstPause) }
        breaker.trip(reason: alarm)
        return .wrongEnvironment(wait: Self.firstPause, reason: alarm)
    }
}
