import AsyncHTTPClient
import Foundation
import NIOCore

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
    func listen(_ receive: @Sendable ([AnyHashable: Any]) -> Void) async {
        var last = "0"
        var isAway = false
        while !Task.isCancelled {
            do {
                try await follow(&last, receive)
            } catch {
                if !isAway { show("push-sandbox at \(page) is not there: \(error)") }
                isAway = true
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Reads server-sent events until the stream ends.
    private func follow(_ last: inout String, _ receive: @Sendable ([AnyHashable: Any]) -> Void) async throws {
        let request = HTTPClientRequest(url: "\(page)/events?after=\(last)")
        let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
        var rest = ""
        for try await piece in response.body {
            rest += String(buffer: piece)
            while let end = rest.range(of: "\n\n") {
                let event = rest[..<end.lowerBound]
                for line in event.split(separator: "\n") {
                    if line.hasPrefix("id: ") { last = String(line.dropFirst(4)) }
                    if line.hasPrefix("data: {"), let userInfo = userInfo(in: line.dropFirst(6)) { receive(userInfo) }
                }
                rest = String(rest[end.upperBound...])
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
