import Foundation
import Testing

@testable import Tokens

@Suite("The ids of clients")
struct ClientIDsTests {
    private let key = ServerKey.first
    private let ids: ClientIDs

    init() throws {
        ids = try ClientIDs(key: key)
    }

    @Test("An id made with a key is recognised with it, also after a restart")
    func own() throws {
        let made = (0..<100).map { _ in ids.make() }
        #expect(Set(made).count == 100)
        let later = try ClientIDs(key: key)
        #expect(made.allSatisfy { ids.id(for: $0) == $0 && later.id(for: $0) == $0 })
    }

    @Test("Any other leads to one that is made from it, the same each time and recognised from then on")
    func foreign() throws {
        var others = (0..<100).map { _ in UUID() }
        others.append(try ClientIDs(key: ServerKey.second).make())
        for other in others {
            let own = ids.id(for: other)
            #expect(own != other && ids.id(for: other) == own && ids.id(for: own) == own)
        }
        #expect(Set(others.map(ids.id)).count == others.count)
    }

    @Test("One with a single bit changed is another's")
    func changed() {
        let made = ids.make()
        for bit in 0..<128 {
            var uuid = made.uuid
            withUnsafeMutableBytes(of: &uuid) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
            let changed = UUID(uuid: uuid)
            #expect(ids.id(for: changed) != changed && ids.id(for: changed) != made, "bit \(bit)")
        }
    }
}
