import Core
import NIOHTTP1
import TestSupport
import Testing

@Suite("Changes of deliveries over the network")
struct DeliveryChangeRouteTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user) {
            var u = WL.Server.getUserNotificationSubscription('S', user);
            WL.Server.notifyAllDevices(u, WL.Server.createDefaultNotification('hi', 1, {}));
            return {};
        }
        """

    private func notify(_ server: RunningServer) async throws {
        let form =
            #"{"eventSource":"A.S","user":"ann","device":"phone","platform":"Android","token":"t-1","application":"App"}"#
        _ = try await server.manage(.POST, "subscriptions", body: form)
        _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run&parameters=%5B%22ann%22%5D")
    }

    private func page(_ server: RunningServer, _ query: String) async throws -> JSONValue {
        let answer = try await server.manage(.GET, "deliveries/changes?\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        return try JSONValue(parsing: answer.body)
    }

    @Test("Each state that a delivery reaches is reported, with its known details", .defaultTimeLimit)
    func wholeWay() async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            var page = try await page(server, "")
            #expect(page["entries"] == [])
            try await notify(server)
            var told: [JSONValue] = []
            while told.last?["delivery"]?["state"] != "previewed" {
                page = try await self.page(server, "after=\(Int(page["last"]?.number ?? 0))&wait=55")
                told += page["entries"]?.array ?? []
            }
            let deliveries = told.compactMap { $0["delivery"] }
            #expect(deliveries.map { $0["state"]?.string } == ["queued", "sending", "previewed"])
            #expect(told.map { $0["number"]?.number } == [1, 2, 3])
            #expect(Set(deliveries.map { $0["id"]?.string }).count == 1)
            #expect(told.allSatisfy { $0["time"]?.string?.hasSuffix("Z") == true })
            for delivery in deliveries {
                #expect(delivery["user"] == "ann")
                #expect(delivery["platform"] == "Android")
                #expect(delivery["text"] == "hi")
            }
            #expect(deliveries.map { $0["requests"]?.array?.count } == [0, 0, 1])
        }
    }

    @Test("Only the changes to one state are reported if the query names it", .defaultTimeLimit)
    func state() async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            async let answer = page(server, "state=previewed&after=0&wait=55")
            try await notify(server)
            var page = try await answer
            // The longest wait was over before the delivery was made.
            while page["entries"] == [] { page = try await self.page(server, "state=previewed&after=0&wait=55") }
            #expect(page["entries"]?.array?.compactMap { $0["delivery"]?["state"]?.string } == ["previewed"])
            #expect(try await server.manage(.GET, "deliveries/changes?state=lost").status == 400)
        }
    }
}
