import Core
import JavaScriptEngine
import Logging

/// The functions of the original that Lamplighter does not support: JMS, Cast Iron, SAP NetWeaver Gateway, signed SOAP messages
/// (server-api 2.2, 2.4). Scripts that name these functions load; calling one throws an error that names a replacement.
extension AdapterScope {
    private static let unavailable: [(functions: [String], reason: String)] = [
        (
            ["readSingleJMSMessage", "readAllJMSMessages", "writeJMSMessage", "requestReplyJMSMessage"],
            "there is no JMS here; put a bridge that speaks HTTP before the queue, such as IBM MQ's REST interface, and call it "
                + "with invokeHttp"
        ),
        (
            ["invokeCastIron"],
            "there is no Cast Iron connection; its orchestrations that are published over HTTP can be called with invokeHttp"
        ),
        (
            ["fetchNWBusinessObject", "createNWBusinessObject", "updateNWBusinessObject", "deleteNWBusinessObject"],
            "there is no SAP NetWeaver Gateway connection; the gateway is an OData service, which invokeHttp can call"
        ),
        (
            ["signSoapMessage"],
            "SOAP messages are not signed here; have a gateway before the service sign them, or the service accept TLS client "
                + "certificates (sslCertificateAlias)"
        ),
    ]

    static func declareUnavailable(in table: inout BindingTable.Declarations) {
        for (functions, reason) in Self.unavailable {
            for name in functions {
                table.add(name) { _, _ in throw HostError("\(name): \(reason)") }
            }
        }
        // The original's administrators uploaded beacons; here there are none, so the result is empty.
        table.add("getBeaconsAndTriggers") { scope, call in
            scope.adapter.log.warnOnce(
                "beacons", to: scope.logger,
                scope.atCall("getBeaconsAndTriggers: Lamplighter stores no beacons, so the result is always empty"))
            return scope.value(
                ["isSuccessful": true, "beacons": [], "beaconTriggers": [], "beaconTriggerAssociations": []])
        }
    }
}
