import Dispatch
import Foundation
import TestSupport
import Testing

/// The socket of a service manager, to which services send datagrams.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "notify socket")

    init(in folder: TemporaryFolder) throws {
        path = folder.path("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// Returns the lines of the next datagram that has this one. The tests' time limit ends the wait.
    func message(with line: String) async -> [String] {
        while true {
            let lines = await next()
            if lines.contains(line) { return lines }
        }
    }

    func next() async -> [String] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                continuation.resume(
                    returning: String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).components(
                        separatedBy: "\n")
                )
            }
        }
    }
}
