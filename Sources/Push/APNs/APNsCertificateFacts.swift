import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The fields of an APNs certificate that describe its app, environments, issuer and validity.
struct APNsCertificateFacts {
    /// UID of X.500, in which Apple writes the bundle id.
    private static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    /// Apple's extensions that name the services it is for.
    private static let sandbox: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]
    private static let production: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]

    let topic: String
    let environments: Set<PushServiceSettings.APNsEnvironment>
    /// The authority that signed it.
    let issuer: DistinguishedName
    let notBefore: Date
    let notAfter: Date

    init(_ certificate: NIOSSLCertificate, source: String) throws(CredentialError) {
        notBefore = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        notAfter = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
        let parsed: Certificate
        do {
            parsed = try Certificate(derEncoded: try certificate.toDERBytes())
        } catch {
            throw CredentialError(source: source, problem: "expected a certificate that can be read: \(error)")
        }
        let uid = parsed.subject.lazy.flatMap { $0 }.first { $0.type == Self.userID }
        guard let topic = uid.flatMap({ String($0.value) }), !topic.isEmpty else {
            throw CredentialError(
                source: source, field: "UID",
                problem: """
                    expected the app's bundle id as UID of the certificate's subject, found none (\(parsed.subject)); \
                    use a certificate of the kind "Apple Push Notification service SSL"
                    """)
        }
        self.topic = topic
        issuer = parsed.issuer
        let named = Set(
            [(Self.sandbox, PushServiceSettings.APNsEnvironment.sandbox), (Self.production, .production)]
                .filter { oid, _ in parsed.extensions.contains { $0.oid == oid } }.map(\.1))
        environments = named.isEmpty ? [.sandbox, .production] : named
    }

    /// Returns true if the certificate is valid at `time`.
    func isValid(at time: Date) -> Bool { notBefore <= time && time < notAfter }
}
