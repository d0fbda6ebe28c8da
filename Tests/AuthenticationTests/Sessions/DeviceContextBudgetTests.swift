import AdapterRuntime
import Authentication
import Core
import TestSupport
import Testing

@Suite("The memory of device contexts")
struct DeviceContextBudgetTests {
    private static func budget(total: Int = 1000, perNetwork: Int = 1000) -> DeviceContextBudget {
        var limits = DeviceContextBudget.Limits()
        (limits.total, limits.perNetwork) = (total, perNetwork)
        return DeviceContextBudget(limits: limits)
    }

    private static func table() -> SessionTable {
        SessionTable(settings: SessionSettings(), time: ManualTime()) { _ in }
    }

    private static func set(_ size: Int, of session: ServerSession, _ budget: DeviceContextBudget) -> Bool {
        session.setDeviceContext(size == 0 ? nil : ["size": .number(Double(size))], size: size, at: "a", within: budget)
    }

    @Test("counts the last context of a session, and none after the session's end")
    func sessions() {
        let (table, budget) = (Self.table(), Self.budget())
        func use() {
            let session = table.begin(persistentID: "p", at: "a")
            #expect(Self.set(900, of: session, budget) && budget.total == 900)
            #expect(Self.set(400, of: session, budget) && budget.total == 400)
            #expect(Self.set(1000, of: session, budget) && budget.total == 1000)
            #expect(Self.set(0, of: session, budget) && budget.total == 0)
            #expect(Self.set(700, of: session, budget) && budget.total == 700)
            table.end(session)
        }
        use()
        #expect(budget.total == 0)
    }

    @Test("leaves a session's context unchanged when the next one exceeds the budget")
    func full() {
        let (table, budget) = (Self.table(), Self.budget(perNetwork: 500))
        let (first, second) = (table.begin(persistentID: "p", at: "a"), table.begin(persistentID: "q", at: "a"))
        #expect(Self.set(300, of: first, budget) && Self.set(200, of: second, budget))
        #expect(!Self.set(201, of: second, budget))
        #expect(second.client.deviceContext == ["size": 200] && budget.total == 500)
        #expect(Self.set(0, of: first, budget) && Self.set(500, of: second, budget))
    }

    @Test("refuses no context of a user whose identity was checked, and counts it")
    func users() {
        let (table, budget) = (Self.table(), Self.budget())
        let session = table.begin(persistentID: "p", at: "a")
        #expect(Self.set(900, of: session, budget))
        session.logIn(["userId": "ann"], to: "R", until: nil)
        #expect(Self.set(5000, of: session, budget) && budget.total == 5000)
        session.logOut(of: "R")
        #expect(!Self.set(5001, of: session, budget) && Self.set(900, of: session, budget) && budget.total == 900)
    }
}
