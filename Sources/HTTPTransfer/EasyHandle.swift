public import CCurl
import Foundation

/// libcurl's easy handle: it serves one transfer at a time, and one thread at a time.
public final class EasyHandle {
    public let pointer: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private static let library: CURLcode = {
        // libcurl with CURLOPT_NOSIGNAL leaves this to the program: OpenSSL writes to connections that the peer has closed.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    /// - Returns: `nil` when libcurl is out of memory.
    public init?() {
        guard Self.library == CURLE_OK, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// The setup of the current options; `nil` when only their own transfer may use them.
    private var setup: TransferSetup?

    /// Takes back all options, unless they were set for the same. Kept connections stay.
    ///
    /// - Returns: whether they must be set.
    func begin(_ setup: TransferSetup?) -> Bool {
        errorText[0] = 0
        if let setup, setup == self.setup { return false }
        self.setup = setup
        curl_easy_reset(pointer)
        set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
        return true
    }

    /// Ends a transfer. After one that made a connection all options are set again: libcurl counts the requests that it has repeated
    /// on another connection for as long as its options stay, and repeats only a few.
    func end() {
        if number(CURLINFO_NUM_CONNECTS) > 0 { setup = nil }
    }

    /// libcurl's words about the last error; empty for none.
    var error: String { String(cString: errorText) }

    public func set(_ option: CURLoption, _ value: Int) {
        _ = lamplighterCurlSetNumber(pointer, option, value)
    }

    public func set(_ option: CURLoption, _ value: String?) {
        _ = lamplighterCurlSetText(pointer, option, value)
    }

    public func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        _ = lamplighterCurlSetPointer(pointer, option, value)
    }

    func set(_ option: CURLoption, size: Int) {
        _ = lamplighterCurlSetSize(pointer, option, curl_off_t(size))
    }

    func set(_ option: CURLoption, bytes: String) {
        var text = bytes
        text.withUTF8 { utf8 in
            _ = lamplighterCurlSetBytes(
                pointer, option, UnsafeMutableRawPointer(mutating: utf8.baseAddress), utf8.count)
        }
    }

    func number(_ info: CURLINFO) -> Int { lamplighterCurlNumber(pointer, info) }
}
