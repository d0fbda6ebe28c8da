import CJavaScriptCore
import Foundation

/// Text between Swift and the engine.
enum JSText {
    /// A new engine string; the caller releases it.
    static func make(_ text: String) -> JSStringRef {
        // The short way takes a C string, which ends at the first zero.
        let string = text.withCString { start in
            strlen(start) == text.utf8.count ? JSStringCreateWithUTF8CString(start) : nil
        }
        if let string { return string }
        let units = Array(text.utf16)
        return JSStringCreateWithCharacters(units, units.count)
    }

    /// The text of an engine string. A surrogate without its partner, which Swift cannot hold, becomes U+FFFD.
    static func string(_ text: JSStringRef) -> String {
        let length = JSStringGetLength(text)
        if length == 0 { return "" }
        if length <= 1024, let text = shortASCII(text, length: length) { return text }
        guard let units = JSStringGetCharactersPtr(text) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: units, count: length), as: UTF16.self)
    }

    /// The quick way, for what most texts are. The engine's own conversion to UTF-8 stops at a lone surrogate without
    /// saying so; as many ASCII bytes as there are units is proof that it did not.
    private static func shortASCII(_ text: JSStringRef, length: Int) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard let start = buffer.baseAddress,
                JSStringGetUTF8CString(text, start, buffer.count) == length + 1
            else { return nil }
            let bytes = UnsafeRawBufferPointer(start: start, count: length)
            // Together, which the compiler does many at a time.
            guard bytes.reduce(UInt8(0), { $0 | $1 }) < 0x80 else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// As ``string(_:)``, releasing the engine string.
    static func take(_ text: JSStringRef) -> String {
        defer { JSStringRelease(text) }
        return string(text)
    }
}
