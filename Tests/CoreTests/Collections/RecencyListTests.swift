import Core
import Testing

@Suite("Elements in the order of their last use")
struct RecencyListTests {
    /// Takes all elements out, oldest first.
    private func drain(_ list: inout RecencyList<String>) -> [String] {
        var elements: [String] = []
        while let place = list.oldestPlace, let element = list.oldest {
            elements.append(element)
            list.remove(place)
        }
        return elements
    }

    @Test("The first added is the oldest")
    func order() {
        var list = RecencyList<String>()
        for element in ["a", "b", "c"] { _ = list.append(element) }
        #expect(list.count == 3)
        #expect(drain(&list) == ["a", "b", "c"])
        #expect(list.count == 0)
    }

    @Test("What is touched is the newest, wherever it was", arguments: 0..<3)
    func touch(index: Int) {
        var list = RecencyList<String>()
        let places = ["a", "b", "c"].map { list.append($0) }
        list.touch(places[index])
        var expected = ["a", "b", "c"]
        expected.append(expected.remove(at: index))
        #expect(drain(&list) == expected)
    }

    @Test("What is removed is gone, and the rest keeps its order", arguments: 0..<3)
    func remove(index: Int) {
        var list = RecencyList<String>()
        let places = ["a", "b", "c"].map { list.append($0) }
        list.remove(places[index])
        var expected = ["a", "b", "c"]
        expected.remove(at: index)
        #expect(list.count == 2)
        #expect(drain(&list) == expected)
    }

    @Test("A place that became free is used again")
    func reuse() {
        var list = RecencyList<String>()
        let place = list.append("a")
        list.remove(place)
        #expect(list.oldest == nil)
        #expect(list.append("b") == place)
        #expect(list.oldest == "b")
    }

    @Test("Any mixture of operations does what a plain array does")
    func mixture() {
        var generator = SeededRecencyGenerator(state: 7)
        var list = RecencyList<String>()
        var model: [(place: Int, element: String)] = []
        for step in 0..<2000 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: model.append((list.append("\(step)"), "\(step)"))
            case 1 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &generator)
                list.touch(model[index].place)
                model.append(model.remove(at: index))
            case 2 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &generator)
                list.remove(model.remove(at: index).place)
            default: break
            }
            #expect(list.oldest == model.first?.element && list.count == model.count)
        }
        #expect(drain(&list) == model.map(\.element))
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
