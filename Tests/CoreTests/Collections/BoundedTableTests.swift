import Core
import Testing

@Suite("BoundedTable")
struct BoundedTableTests {
    /// The values of keys. Reading them is a use.
    private func values(_ keys: [String], of table: inout BoundedTable<String, Int>) -> [Int?] {
        var values: [Int?] = []
        for key in keys { values.append(table[key]) }
        return values
    }

    @Test("removes the entry that was set first when it is full")
    func oldest() {
        var table = BoundedTable<String, Int>(capacity: 2)
        for (value, key) in ["a", "b", "c"].enumerated() { table[key] = value }
        #expect(table.count == 2)
        #expect(values(["a", "b", "c"], of: &table) == [nil, 1, 2])
    }

    @Test("keeps an entry that was read after another")
    func read() {
        var table = BoundedTable<String, Int>(capacity: 2)
        table["a"] = 1
        table["b"] = 2
        #expect(table["a"] == 1)
        table["c"] = 3
        #expect(values(["a", "b", "c"], of: &table) == [1, nil, 3])
    }

    @Test("keeps an entry that was set again after another")
    func setAgain() {
        var table = BoundedTable<String, Int>(capacity: 2)
        table["a"] = 1
        table["b"] = 2
        table["a"] = 3
        table["c"] = 4
        #expect(values(["a", "b", "c"], of: &table) == [3, nil, 4])
    }

    @Test("returns the value that it removes to make room, and none when it replaces a value")
    func evicted() {
        var table = BoundedTable<String, Int>(capacity: 1)
        #expect(table.insert(1, forKey: "a") == nil)
        #expect(table.insert(2, forKey: "a") == nil)
        #expect(table.insert(3, forKey: "b") == 2)
        #expect(table.removeValue(forKey: "a") == nil)
        #expect(table.removeValue(forKey: "b") == 3)
        #expect(table.count == 0)
    }

    @Test("has room again after an entry was removed")
    func removed() {
        var table = BoundedTable<String, Int>(capacity: 2)
        table["a"] = 1
        table["b"] = 2
        table["a"] = nil
        table["c"] = 3
        #expect(values(["a", "b", "c"], of: &table) == [nil, 2, 3])
    }

    @Test("does the same as an array of its entries, the last used at the end, in any mixture of operations")
    func mixture() {
        var table = BoundedTable<Int, Int>(capacity: 20)
        var model: [(key: Int, value: Int)] = []
        var seed: UInt64 = 7
        func next(below bound: UInt64) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33 % bound)
        }
        for step in 0..<5000 {
            let key = next(below: 40)
            let known = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
            switch next(below: 4) {
            case 0:
                #expect(table.removeValue(forKey: key) == known?.value)
            case 1:
                #expect(table[key] == known?.value)
                if let known { model.append(known) }
            default:
                let evicted = known == nil && model.count == 20 ? model.removeFirst().value : nil
                #expect(table.insert(step, forKey: key) == evicted)
                model.append((key, step))
            }
            #expect(table.count == model.count)
        }
        for entry in model { #expect(table[entry.key] == entry.value) }
    }
}
