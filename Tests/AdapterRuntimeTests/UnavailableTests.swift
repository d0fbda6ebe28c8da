import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("The original's functions that Lamplighter lacks")
struct UnavailableTests {
    @Test(
        "A function without its counterpart fails when it is called, with the remedy",
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

    @Test("The list of beacons is empty, which is logged once")
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
