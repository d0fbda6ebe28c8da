import Core
import TestSupport
import Testing

@Suite("RecencyList")
struct RecencyListTests {
    /// Takes all elements out, the oldest first.
    private func drain(_ list: inout RecencyList) -> [Int] {
        var places: [Int] = []
        while let place = list.oldest {
            places.append(place)
            list.remove(place)
        }
        return places
    }

    @Test("begins with the entry that was added first")
    func order() {
        var list = RecencyList()
        let places = (0..<3).map { _ in list.append() }
        #expect(list.count == 3)
        #expect(drain(&list) == places)
        #expect(list.count == 0)
    }

    @Test("moves a touched entry to the end, from any position", arguments: 0..<3)
    func touch(index: Int) {
        var list = RecencyList()
        var places = (0..<3).map { _ in list.append() }
        list.touch(places[index])
        places.append(places.remove(at: index))
        #expect(drain(&list) == places)
    }

    @Test("keeps the order of the others when an entry is removed", arguments: 0..<3)
    func remove(index: Int) {
        var list = RecencyList()
        var places = (0..<3).map { _ in list.append() }
        list.remove(places.remove(at: index))
        #expect(list.count == 2)
        #expect(drain(&list) == places)
    }

    @Test("uses a removed entry again")
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
        var generator = SeededNumbers(state: 7)
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
