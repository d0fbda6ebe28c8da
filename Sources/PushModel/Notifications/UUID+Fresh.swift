import struct Foundation.UUID
import typealias Foundation.uuid_t

extension UUID {
    /// A new random id. `UUID()` opens and closes a device file for each on Linux, which takes several times as long; a
    /// notification to a hundred thousand devices needs as many.
    static func fresh() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let halves = (generator.next() as UInt64, generator.next() as UInt64)
        var bytes = withUnsafeBytes(of: halves) { $0.loadUnaligned(as: uuid_t.self) }
        // Version 4, variant 1 (RFC 9562).
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }
}
