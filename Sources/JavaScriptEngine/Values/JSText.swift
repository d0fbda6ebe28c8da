import CJavaScriptCore
import Foundation

/// Strings between Swift and the engine.
enum JSText {
    /// Returns a new engine string; the caller releases it.
    static func make(_ text: String) -> JSStringRef {
        // The short way takes a C string, which ends at the first zero.
        let string = text.withCString { start in
            strlen(start) == text.utf8.count ? JSStringCreateWithUTF8CString(start) : nil
        }
        if let string { return string }
        let units = Array(text.utf16)
        return JSStringCreateWithCharacters(units, units.count)
    }

    /// Returns the value of an engine string. A surrogate without its partner, which Swift cannot hold, becomes U+FFFD.
    static func string(_ text: JSStringRef) -> String {
        let length = JSStringGetLength(text)
        guard length > 0, let start = JSStringGetCharactersPtr(text) else { return "" }
        let units = UnsafeBufferPointer(start: start, count: length)
        return ascii(units) ?? String(decoding: units, as: UTF16.self)
    }

    /// Returns the beginning of an engine string, which may be long: for messages.
    static func beginning(_ text: JSStringRef) -> String {
        let most = 2 << 20
        guard JSStringGetLength(text) > most else { return string(text) }
        let cut = String(unsafeUninitializedCapacity: most) { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                max(0, JSStringGetUTF8CString(text, $0.baseAddress, $0.count) - 1)
            }
        }
        return cut + "…"
    }

    /// The quick way, for most strings: both loops do many units at a time, where the conversions of the engine and
    /// of Swift's library go one by one.
    private static func ascii(_ units: UnsafeBufferPointer<JSChar>) -> String? {
        guard units.reduce(JSChar(0), { $0 | $1 }) < 0x80 else { return nil }
        return String(unsafeUninitializedCapacity: units.count) { bytes in
            for index in units.indices { bytes[index] = UInt8(truncatingIfNeeded: units[index]) }
            return units.count
        }
    }

    /// Returns the same as ``beginning(_:)``, and releases the engine string.
    static func takeBeginning(_ text: JSStringRef) -> String {
        defer { JSStringRelease(text) }
        return beginning(text)
    }

    /// Returns the same as ``string(_:)``, and releases the engine string.
    static func take(_ text: JSStringRef) -> String {
        defer { JSStringRelease(text) }
        return string(text)
    }
}
