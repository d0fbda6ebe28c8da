import TestSupport
import Testing

@testable import PollScheduler

@Suite("The heap of due times")
struct DueHeapTests {
    @Test("returns its elements in the order in which they are due")
    func order() {
        var heap = DueHeap<Int, String>()
        for (element, deadline) in [("c", 30), ("a", 10), ("d", 40), ("b", 20)] { heap.insert(element, due: deadline) }
        #expect(heap.popAll() == ["a", "b", "c", "d"])
    }

    @Test("keeps elements that are not due yet")
    func notDue() {
        var heap = DueHeap<Int, String>()
        heap.insert("later", due: 11)
        heap.insert("now", due: 10)
        #expect(heap.popFirst(dueBy: 10) == "now")
        #expect(heap.popFirst(dueBy: 10) == nil)
        #expect(heap.first?.element == "later")
    }

    @Test("moves an element that is added again instead of holding it twice", arguments: [5, 15, 25])
    func move(deadline: Int) {
        var heap = DueHeap<Int, String>()
        heap.insert("a", due: 10)
        heap.insert("b", due: 20)
        heap.insert("moved", due: 12)
        heap.insert("moved", due: deadline)
        #expect(heap.count == 3)
        #expect(heap.deadline(of: "moved") == deadline)
        #expect(heap.popAll().count == 3)
    }

    @Test("takes an element out of the middle")
    func remove() {
        var heap = DueHeap<Int, Int>()
        for element in 0..<10 { heap.insert(element, due: element) }
        heap.remove(4)
        #expect(heap.popAll() == [0, 1, 2, 3, 5, 6, 7, 8, 9])
    }

    @Test("ignores the removal of an unknown element")
    func removeUnknown() {
        var heap = DueHeap<Int, String>()
        heap.insert("a", due: 1)
        heap.remove("b")
        #expect(heap.popAll() == ["a"])
    }

    @Test("is empty after its last element was removed")
    func removeLast() {
        var heap = DueHeap<Int, String>()
        heap.insert("a", due: 1)
        heap.remove("a")
        #expect(heap.first == nil)
        #expect(heap.deadline(of: "a") == nil)
    }

    @Test("agrees with a plain dictionary over thousands of random changes")
    func model() {
        var random = SeededNumbers(state: 42)
        var heap = DueHeap<Int, Int>()
        var model: [Int: Int] = [:]
        for _ in 0..<5_000 {
            let element = Int.random(in: 0..<60, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                heap.remove(element)
                model[element] = nil
            } else {
                let deadline = Int.random(in: 0..<100, using: &random)
                heap.insert(element, due: deadline)
                model[element] = deadline
            }
            #expect(heap.count == model.count)
            #expect(heap.first?.deadline == model.values.min())
            #expect(heap.deadline(of: element) == model[element])
        }
        #expect(heap.popAll().map { model[$0] } == model.values.sorted())
    }
}

extension DueHeap {
    fileprivate mutating func popAll() -> [Element] {
        var elements: [Element] = []
        while let deadline = first?.deadline, let element = popFirst(dueBy: deadline) { elements.append(element) }
        return elements
    }
}
