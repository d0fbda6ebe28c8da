import Core
import Testing

@Suite("RecencyList")
struct RecencyListTests {
    /// Takes all places out, the oldest first.
    private func drain(_ list: inout RecencyList) -> [Int] {
        var places: [Int] = []
        while let place = list.oldest {
            places.append(place)
            list.remove(place)
        }
        return places
    }

    @Test("begins with the place that was added first")
    func order() {
        var list = RecencyList()
        let places = (0..<3).map { _ in list.append() }
        #expect(list.count == 3)
        #expect(drain(&list) == places)
        #expect(list.count == 0)
    }

    @Test("moves a touched place to the end, wherever it was", arguments: 0..<3)
    func touch(index: Int) {
        var list = RecencyList()
        var places = (0..<3).map { _ in list.append() }
        list.touch(places[index])
        places.append(places.remove(at: index))
        #expect(drain(&list) == places)
    }

    @Test("keeps the order of the others when a place is removed", arguments: 0..<3)
    func remove(index: Int) {
        var list = RecencyList()
        var places = (0..<3).map { _ in list.append() }
        list.remove(places.remove(at: index))
        #expect(list.count == 2)
        #expect(drain(&list) == places)
    }

    @Test("uses a removed place again")
    func reuse() {
        var list = RecencyList()
        let place = list.append()
        list.remove(place)
        #expect(list.oldest == nil)
        #expect(list.append() == place)
        #expect(list.oldest == place)
    }

    @Test("does the same as an array in any mixture of operations")
    func mixture() {
        var generator = SeededRecencyGenerator(state: 7)
        var list = RecencyList()
        var model: [Int] = []
        for _ in 0..<2000 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: model.append(list.append())
            case 1 where !model.isEmpty:
                let place = model.remove(at: Int.random(in: 0..<model.count, using: &generator))
                list.touch(place)
                model.append(place)
            case 2 where !model.isEmpty:
                list.remove(model.remove(at: Int.random(in: 0..<model.count, using: &generator)))
            default: break
            }
            #expect(list.oldest == model.first && list.count == model.count)
        }
        #expect(drain(&list) == model)
    }
}

/// The same numbers in every run.
private struct SeededRecencyGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 32
    }
}
