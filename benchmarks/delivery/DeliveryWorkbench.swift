import Core
import Foundation
import Glibc
import Logging
import PushModel
import Storage

/// A store in a folder of its own, gone with the measurement.
final class DeliveryWorkbench {
    let folder: String
    let store: SQLStore

    init() throws {
        folder = NSTemporaryDirectory() + "lamplighter-delivery-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try SQLStore(folder: folder)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// As `notifyAllDevices` makes them: one notification, each device's own name, token and user.
    static func fanOut(_ count: Int, from first: Int = 0, to platform: Platform = .apple) -> [Delivery] {
        let now = Date()
        let id = UUID()
        let content = NotificationContent([
            "APNS": ["alert": "The lamps are lit", "badge": 1, "sound": "default", "payload": ["page": "home"]],
            "GCM": ["alert": "The lamps are lit", "payload": ["page": "home"]],
        ])
        let options: JSONValue = ["alert": true, "badge": true, "sound": true]
        return (first..<first + count).map { number in
            let digits = String(number, radix: 16)
            let padded = String(repeating: "0", count: 64 - digits.count) + digits
            return Delivery(
                notificationID: id, content: content,
                target: .subscription(
                    DeviceSubscription(
                        eventSource: EventSourceID(adapter: "NewsAdapter", name: "News"), userID: "user-\(number)",
                        deviceID: "1E4A9B2C-\(padded.suffix(12))", applicationID: "com.example.reader",
                        alias: "myNews", platform: platform, token: DeviceToken(stored: padded), options: options)),
                createdAt: now, expiresAt: now + 86_400)
        }
    }

    /// How long something takes, on the wall and on the processors, in seconds.
    struct Cost {
        var wall = 0.0
        var processor = 0.0

        static func += (sum: inout Cost, other: Cost) {
            sum.wall += other.wall
            sum.processor += other.processor
        }

        func rate(_ count: Int) -> String {
            "\(Int(Double(count) / wall)) a second (\(Int(Double(count) / processor)) a second of processor time)"
        }
    }

    static func cost(_ body: () throws -> Void) rethrows -> Cost {
        let before = processorSeconds
        let wall = try ContinuousClock().measure(body) / .seconds(1)
        return Cost(wall: wall, processor: processorSeconds - before)
    }

    /// How much memory the process has, in megabytes.
    static var residentMegabytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { Int($0[1]) } ?? 0) * 4096 / 1_048_576
    }

    /// How much time the process has spent on its processors, in seconds.
    static var processorSeconds: Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }
}
