import Foundation
import HTTPTransfer
import Synchronization

/// Plays the part of the phone's system: it has a token, and hears from push-sandbox what arrived for it.
struct SandboxPhone: Sendable {
    let page: String
    let token: Data

    /// The device's token: made at the first start, the same ever after.
    static func token(in folder: URL) throws -> Data {
        let file = folder.appendingPathComponent("device-token")
        if let data = try? Data(contentsOf: file), data.count == 32 { return data }
        let data = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file)
        return data
    }

    static func digits(_ token: Data) -> String {
        token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Listens for as long as the app runs; a sandbox that goes away is looked for again every second.
    func listen(_ receive: @escaping @Sendable ([AnyHashable: Any]) -> Void) async {
        let events = Events()
        var isAway = false
        while !Task.isCancelled {
            do {
                let request = TransferRequest(url: "\(page)/events?after=\(events.last)", maximumSize: .max)
                _ = try await Self.client.send(request) { _, piece in
                    for data in events.take(piece) {
                        if let userInfo = userInfo(in: data) { receive(userInfo) }
                    }
                }
            } catch {
                if !isAway { show("push-sandbox at \(page) is not there: \(error)") }
                isAway = true
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private static let client = TransferClient()

    /// Server-sent events as they come in pieces.
    private final class Events: Sendable {
        private let state = Mutex((rest: "", last: "0"))

        /// The number of the last event.
        var last: String { state.withLock { $0.last } }

        /// The data of the events that a piece completes.
        func take(_ piece: [UInt8]) -> [Substring] {
            state.withLock { state in
                var found: [Substring] = []
                state.rest += String(decoding: piece, as: UTF8.self)
                while let end = state.rest.range(of: "\n\n") {
                    for line in state.rest[..<end.lowerBound].split(separator: "\n") {
                        if line.hasPrefix("id: ") { state.last = String(line.dropFirst(4)) }
                        if line.hasPrefix("data: {") { found.append(line.dropFirst(6)) }
                    }
                    state.rest = String(state.rest[end.upperBound...])
                }
                return found
            }
        }
    }

    /// What arrived, if it is for this device and was accepted. The page lays the payload out for reading; an app gets
    /// it as text.
    private func userInfo(in data: Substring) -> [AnyHashable: Any]? {
        func object(_ text: some StringProtocol) -> [String: Any]? {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        }
        guard let event = object(data), event["accepted"] as? Bool == true,
            (event["token"] as? String)?.lowercased() == Self.digits(token),
            var userInfo = (event["payload"] as? String).flatMap({ object($0) })
        else { return nil }
        if let payload = userInfo["payload"] as? [String: Any],
            let text = try? JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys])
        {
            userInfo["payload"] = String(decoding: text, as: UTF8.self)
        }
        return userInfo
    }
}
