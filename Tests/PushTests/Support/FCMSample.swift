import Crypto
import Foundation
import JWTKit
import Synchronization
import TestSupport

@testable import Push

enum FCMSample {
    private static let madeKey = Mutex<String?>(nil)

    /// An RSA key in PEM form, made once.
    static func privateKey() throws -> String {
        try madeKey.withLock { key in
            if let key { return key }
            let output = Pipe()
            _ = try ChildProcess("openssl", ["genrsa", "2048"], output: output)
            let made = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            key = made
            return made
        }
    }

    static func ellipticKey() throws -> String { P256.Signing.PrivateKey().pemRepresentation }

    static func credential() throws -> FCMCredential {
        let fields = [
            "type": "service_account", "project_id": "news-1234", "private_key": try privateKey(),
            "private_key_id": "k1", "client_email": "push@news-1234.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token",
        ]
        let json = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        return try FCMCredential(json: json, source: "test")
    }

    /// An error in Google's form.
    static func error(
        _ status: Int, _ rpcStatus: String, _ message: String, code: String? = nil, field: String? = nil,
        quota: String? = nil
    ) -> String {
        var details: [String] = []
        let type = #""@type":"type.googleapis.com/google."#
        if let code { details.append(#"{\#(type)firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#) }
        if let field {
            details.append(
                #"{\#(type)rpc.BadRequest","fieldViolations":[{"field":"\#(field)","description":"Invalid"}]}"#)
        }
        if let quota {
            details.append(#"{\#(type)rpc.QuotaFailure","violations":[{"subject":"\#(quota)","description":"much"}]}"#)
        }
        return #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(rpcStatus)","details":["#
            + details.joined(separator: ",") + "]}}"
    }
}
