import Crypto
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Tokens

@Suite struct CertificateAuthorityTests {
    private let authority = CertificateAuthority(key: .first)
    private let start = Date(timeIntervalSince1970: 1_700_000_000)
    private let modulusDigits = TestClient.first.modulus.map { String(format: "%02X", $0) }.joined()

    private func issue(_ clientId: String = "5f563cd2-4615", years: Double = 10) throws -> Data {
        try authority.issue(
            to: TestClient.first.publicKey, clientId: clientId, validFrom: start,
            until: start.addingTimeInterval(years * 365 * 86_400))
    }

    @Test("openssl finds the authority's signature good")
    func signature() async throws {
        let folder = try TemporaryFolder()
        let client = try folder.write(pem(try issue()), to: "client.pem")
        let root = try folder.write(try rootPEM(.first), to: "root.pem")
        let time = String(Int(start.timeIntervalSince1970) + 60)
        // Level 0, since a key of 512 bits is too short for any other.
        let result = try await OpenSSL.run(
            "verify", "-auth_level", "0", "-check_ss_sig", "-attime", time, "-x509_strict", "-CAfile", root, client)
        #expect(result.contains("client.pem: OK"), "\(result)")
    }

    @Test("openssl refuses a certificate of another authority of the same name")
    func otherAuthority() async throws {
        let folder = try TemporaryFolder()
        let client = try folder.write(pem(try issue()), to: "client.pem")
        let root = try folder.write(try rootPEM(.second), to: "root.pem")
        await #expect(throws: OpenSSL.RunError.self) {
            try await OpenSSL.run("verify", "-auth_level", "0", "-attime", "1700000060", "-CAfile", root, client)
        }
    }

    @Test("The certificate holds the client's key, and its id as UID")
    func content() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(pem(try issue()), to: "client.pem")
        let subject = try await OpenSSL.run("x509", "-in", path, "-noout", "-subject", "-nameopt", "RFC2253")
        #expect(subject == "subject=UID=5f563cd2-4615\n")
        let modulus = try await OpenSSL.run("x509", "-in", path, "-noout", "-modulus")
        #expect(modulus == "Modulus=\(modulusDigits)\n")
        let text = try await OpenSSL.run("x509", "-in", path, "-noout", "-text")
        #expect(text.contains("0.9.2342.19200300.100.1.1") || text.contains("UID = 5f563cd2-4615"), "\(text)")
        #expect(text.contains("Version: 3 (0x2)"))
        #expect(text.contains("Signature Algorithm: sha256WithRSAEncryption"))
        #expect(text.contains("Exponent: 65537 (0x10001)"))
        #expect(text.contains("CA:FALSE"))
    }

    @Test("The modulus and the serial number are positive numbers in the certificate")
    func positive() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(pem(try issue()), to: "client.pem")
        let outer = try await OpenSSL.run("asn1parse", "-in", path)
        #expect(!outer.contains(":-"), "\(outer)")
        let line = try #require(outer.split(separator: "\n").first { $0.contains("BIT STRING") })
        let offset = line.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
        let key = try await OpenSSL.run("asn1parse", "-in", path, "-strparse", offset)
        #expect(key.contains(":\(modulusDigits)"), "\(key)")
    }

    @Test("Each algorithm of RSA has the parameter NULL, as RFC 4055 requires")
    func algorithmParameters() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(pem(try issue()), to: "client.pem")
        let lines = try await OpenSSL.run("asn1parse", "-in", path).split(separator: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) where line.contains("Encryption") {
            #expect(next.contains("NULL"))
        }
        #expect(lines.count { $0.contains("NULL") } == 3)
    }

    @Test("The validity is the requested one, also beyond 2050", arguments: [(10.0, "2033"), (40, "2063")])
    func validity(years: Double, year: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(pem(try issue(years: years)), to: "client.pem")
        let dates = try await OpenSSL.run("x509", "-in", path, "-noout", "-dates")
        #expect(dates.contains("notBefore=Nov 14 22:13:20 2023 GMT"), "\(dates)")
        #expect(dates.contains("22:13:20 \(year) GMT"), "\(dates)")
    }

    @Test("Two certificates for the same client have different serial numbers")
    func serialNumbers() throws {
        #expect(try issue() != issue())
    }

    @Test(
        "A client id that would not survive in a subject is refused", arguments: ["", "a,b", "a b", "a=b", "é", "a\n"])
    func clientId(id: String) {
        #expect(throws: CertificateIssuingError.clientId) { try issue(id) }
    }

    @Test("A client id of 128 characters is issued, a longer one is not")
    func longClientId() throws {
        #expect(throws: Never.self) { try issue(String(repeating: "a", count: 128)) }
        #expect(throws: CertificateIssuingError.clientId) { try issue(String(repeating: "a", count: 129)) }
    }

    @Test("A validity that ends before it begins, or beyond the year 9999, is refused", arguments: [-1.0, 0, 9000])
    func wrongValidity(years: Double) {
        #expect(throws: CertificateIssuingError.validity) { try issue(years: years) }
    }

    /// A certificate of the authority, which signs itself. The server has no use for one.
    private func rootPEM(_ key: ServerKey) throws -> Data {
        let issuerKey = key.certificateKey
        let identifier = Array(SHA256.hash(data: try key.publicKey.der()))[..<20]
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: issuerKey.publicKey,
            notValidBefore: start, notValidAfter: start.addingTimeInterval(86_400), issuer: CertificateAuthority.name,
            subject: CertificateAuthority.name, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
                SubjectKeyIdentifier(keyIdentifier: identifier)
            }, issuerPrivateKey: issuerKey)
        return Data(try certificate.serializeAsPEM().pemString.utf8)
    }

    private func pem(_ der: Data) -> Data {
        let text = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Data("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }
}
