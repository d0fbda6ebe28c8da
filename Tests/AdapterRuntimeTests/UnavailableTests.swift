import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("What the original had and Lamplighter has not")
struct UnavailableTests {
    @Test(
        "A function without its other half fails when it is called, and says what to do instead",
        arguments: [
            ("readSingleJMSMessage", "there is no JMS here"), ("readAllJMSMessages", "there is no JMS here"),
            ("writeJMSMessage", "there is no JMS here"), ("requestReplyJMSMessage", "invokeHttp"),
            ("invokeCastIron", "there is no Cast Iron connection"), ("fetchNWBusinessObject", "OData"),
            ("createNWBusinessObject", "OData"), ("updateNWBusinessObject", "OData"),
            ("deleteNWBusinessObject", "OData"), ("signSoapMessage", "SOAP messages are not signed here"),
        ])
    func unavailable(name: String, advice: String) async throws {
        let project = try await TestProject("var f = WL.Server.\(name);\nfunction run() {\n    f({});\n}")
        #expect(project.problems == [])
        let answer = await project.call()
        #expect(answer.contains("\(name): "))
        #expect(answer.contains(advice))
        #expect(answer.contains("(adapters/A/A-impl.js#3)"))
    }

    @Test("Beacons are none, which the log says once")
    func beacons() async throws {
        let project = try await TestProject("function run() { return WL.Server.getBeaconsAndTriggers('App') }")
        for _ in 0..<2 {
            #expect(
                await project.call()
                    == #"{"isSuccessful":true,"beacons":[],"beaconTriggers":[],"beaconTriggerAssociations":[]}"#)
        }
        #expect(project.log.messages(at: .warning).count == 1)
    }
}
