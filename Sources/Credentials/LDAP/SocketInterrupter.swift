import CLDAP
import Foundation
import Synchronization

/// The sockets of one LDAP handle, which can be broken from another thread.
///
/// libldap's timeouts do not reach into the TLS handshake with GnuTLS: a server that is silent there would hold the
/// thread for as long as it likes.
final class SocketInterrupter: Sendable {
    private let sockets = Mutex<[Int32]>([])

    /// Ends all reading and writing, so that libldap comes back with an error.
    func interrupt() {
        // Under the lock, so that no socket is closed and its number reused meanwhile.
        sockets.withLock { sockets in
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Runs work that may hang, and interrupts it after a time.
    func interrupting<Value>(after limit: Duration, _ work: () -> Value) -> Value {
        let timer = Task.detached { [self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            interrupt()
        }
        defer { timer.cancel() }
        return work()
    }

    /// The callbacks that libldap calls when it connects and before it closes. `lc_arg` is the watch, unretained.
    static func callbacks(_ watch: SocketInterrupter) -> ldap_conncb {
        ldap_conncb(
            lc_add: { _, socket, _, _, context in
                guard let watch = SocketInterrupter.of(context), let number = SocketInterrupter.number(of: socket)
                else { return 0 }
                watch.sockets.withLock { $0.append(number) }
                return 0
            },
            lc_del: { _, socket, context in
                guard let watch = SocketInterrupter.of(context), let number = SocketInterrupter.number(of: socket)
                else { return }
                watch.sockets.withLock { $0.removeAll { $0 == number } }
            },
            lc_arg: Unmanaged.passUnretained(watch).toOpaque())
    }

    private static func of(_ context: UnsafeMutablePointer<ldap_conncb>?) -> SocketInterrupter? {
        context?.pointee.lc_arg.map { Unmanaged<SocketInterrupter>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func number(of socket: OpaquePointer?) -> Int32? {
        var number: Int32 = -1
        guard let socket, ber_sockbuf_ctrl(socket, LBER_SB_OPT_GET_FD, &number) > 0, number >= 0 else { return nil }
        return number
    }
}
