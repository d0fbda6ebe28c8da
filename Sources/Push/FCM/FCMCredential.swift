import Core
public import Foundation
import JWTKit

/// The key of a service account that may send through Firebase Cloud Messaging: Google's JSON file, as the Firebase console
/// (project settings, service accounts) makes it.
public struct FCMCredential: Sendable, CustomStringConvertible {
    /// The Firebase project, which is also part of the address that messages are sent to.
    public let projectID: String
    /// The account's name at Google.
    public let clientEmail: String
    let tokenURI: String
    let keyID: String?
    let privateKey: Insecure.RSA.PrivateKey

    /// Reads the file.
    ///
    /// - Throws: ``CredentialError`` when it cannot be read, or is not such a key.
    public init(file: URL) throws(CredentialError) {
        let text: String
        do {
            text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        } catch {
            throw CredentialError(
                source: file.path,
                problem: "expected the JSON file of a Firebase service account, which can't be read: "
                    + "\(error.localizedDescription)")
        }
        try self.init(json: text, source: file.path)
    }

    /// - Parameters:
    ///   - json: the contents of the file.
    ///   - source: where it came from, for errors.
    /// - Throws: ``CredentialError`` naming the field.
    public init(json: String, source: String) throws(CredentialError) {
        let fields = try FCMCredentialFields(json: json, source: source)
        let type = try fields.text("type")
        guard type == "service_account" else {
            throw fields.error(
                "type",
                "expected \"service_account\", found \"\(ServiceReasonText(type))\"; "
                    + "make a key in the Firebase console under project settings, service accounts "
                    + "(google-services.json is the app's and not this)")
        }
        projectID = try fields.text("project_id")
        let isProjectID = projectID.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "-:.".utf8.contains(byte)
        }
        guard isProjectID else {
            throw fields.error(
                "project_id",
                "expected the id of a Firebase project (lower-case letters, digits and -), found another value")
        }
        clientEmail = try fields.text("client_email")
        guard clientEmail.contains("@"), !clientEmail.contains(where: \.isWhitespace) else {
            throw fields.error(
                "client_email", "expected an address like name@project.iam.gserviceaccount.com, found another value")
        }
        tokenURI = try fields.text("token_uri")
        guard tokenURI.hasPrefix("https://"), let host = URL(string: tokenURI)?.host, !host.isEmpty else {
            throw fields.error(
                "token_uri",
                "expected an https address, usually https://oauth2.googleapis.com/token, found another value")
        }
        keyID = try fields.optionalText("private_key_id")
        do {
            privateKey = try Insecure.RSA.PrivateKey(pem: try fields.text("private_key"))
        } catch let error as CredentialError {
            throw error
        } catch {
            // The library's message could quote the key.
            throw fields.error(
                "private_key",
                "expected an RSA key of at least 2048 bits in PEM form (-----BEGIN PRIVATE KEY-----, with \\n for the "
                    + "line ends), found another value; use the file as Google made it, or make a new key")
        }
    }

    /// Without the key.
    public var description: String { "\(clientEmail) for \(projectID)" }
}

/// The members of the JSON file.
private struct FCMCredentialFields {
    private let object: JSONObject
    private let source: String

    init(json: String, source: String) throws(CredentialError) {
        self.source = source
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json)
        } catch {
            throw CredentialError(
                source: source, problem: "expected the JSON of a Firebase service account, but \(error)")
        }
        guard let object = value.object else {
            throw CredentialError(
                source: source,
                problem: "expected a JSON object, the key of a Firebase service account, found \(value.kind)")
        }
        self.object = object
    }

    func text(_ field: String) throws(CredentialError) -> String {
        guard let text = try optionalText(field) else {
            throw error(field, "it is missing or empty; use the file as Google made it")
        }
        return text
    }

    func optionalText(_ field: String) throws(CredentialError) -> String? {
        switch object[field] {
        case nil, .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .some(let other): throw error(field, "expected a string, found \(other.kind)")
        }
    }

    func error(_ field: String, _ problem: String) -> CredentialError {
        CredentialError(source: source, field: field, problem: problem)
    }
}
