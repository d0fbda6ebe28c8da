import Core
import Testing

@Suite("NetworkBudget")
struct NetworkBudgetTests {
    @Test("admits amounts of a network up to its limit, and then names the limit")
    func network() {
        let budget = NetworkBudget<String>(total: 100, perNetwork: 10)
        #expect(budget.admit(6, of: "a") == nil)
        #expect(budget.admit(5, of: "a") == .perNetwork)
        #expect(budget.admit(4, of: "a") == nil)
        #expect(budget.admit(10, of: "b") == nil)
        #expect(budget.total == 20)
    }

    @Test("admits amounts of all networks up to the limit of all")
    func total() {
        let budget = NetworkBudget<String>(total: 15, perNetwork: 10)
        #expect(budget.admit(10, of: "a") == nil)
        #expect(budget.admit(6, of: "b") == .total)
        #expect(budget.admit(5, of: "b") == nil)
        #expect(budget.total == 15)
    }

    @Test("limits clients without a network only in all")
    func noNetwork() {
        let budget = NetworkBudget<String>(total: 20, perNetwork: 10)
        #expect(budget.admit(15, of: nil) == nil)
        #expect(budget.admit(6, of: nil) == .total)
        budget.release(15, of: nil)
        #expect(budget.total == 0)
    }

    @Test("admits released amounts again")
    func release() {
        let budget = NetworkBudget<String>(perNetwork: 10)
        #expect(budget.admit(10, of: "a") == nil)
        budget.release(4, of: "a")
        #expect(budget.admit(5, of: "a") == .perNetwork)
        #expect(budget.admit(4, of: "a") == nil)
        budget.release(10, of: "a")
        #expect(budget.total == 0)
        #expect(budget.admit(10, of: "a") == nil)
    }

    @Test("counts amounts that are not limited")
    func unlimited() {
        let budget = NetworkBudget<String>(total: 20, perNetwork: 10)
        #expect(budget.admit(30, of: "a", isLimited: false) == nil)
        #expect(budget.total == 30)
        #expect(budget.admit(1, of: "b") == .total)
        budget.release(25, of: "a")
        #expect(budget.admit(5, of: "a") == nil)
        #expect(budget.admit(1, of: "a") == .perNetwork)
    }
}
