import PushModel

/// Sends to apps on Windows 8 and later through the Windows Push Notification Services (anchors F3).
final class WNSTransport: PushTransport {
    typealias Channel = WNSChannel

    private let service: AuthorisedService
    private let answers: WNSAnswers

    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ credential: WNSCredential, _ context: TransportContext,
        settings: ServiceClient.Settings = ServiceClient.Settings()
    ) throws(CredentialError) {
        service = try AuthorisedService(
            "WNS", context, settings: settings, credential: "\(credential)",
            removalAlarm: """
                if the package SID is another app's, or the responses do not come from Microsoft, set the packageSID and \
                clientSecret of the app and the endpoint and restart; if these apps are gone, remove their subscriptions
                """
        ) { client throws(VerdictError) in
            try await WNSTokenEndpoint(
                credential: credential, endpoint: context.endpoint, client: client, time: context.time
            ).fetch()
        }
        answers = WNSAnswers(credential: credential)
    }

    func send(_ request: WNSRequest) async -> PushAnswer {
        let channel: DeviceToken
        do {
            channel = try WNSAddress.checked(request.channel.value)
        } catch {
            return PushAnswer(
                .refused(reason: "nothing is sent to this channel: \(error.reason); the app must ask for a new one"))
        }
        return await service.send(
            request.record, device: channel.value, isTokenRefused: { $0.status == 401 },
            read: { answers.verdict($0, token: channel, now: $1) })
    }

    func close() async {
        await service.close()
    }
}

/// The channel address of a Windows app, checked again before an access token is sent to it.
///
/// The address came from a device, and the store may have kept it from before registrations were checked.
enum WNSAddress {
    /// The reason why nothing is sent to it.
    struct ForeignHostError: Error {
        let reason: String
    }

    /// - Returns: the channel as the device's token.
    /// - Throws: ``ForeignHostError`` unless its host is Microsoft's beyond doubt.
    static func checked(_ url: String) throws(ForeignHostError) -> DeviceToken {
        let channel: DeviceToken
        do {
            channel = try DeviceToken(url, platform: .windows)
        } catch {
            throw ForeignHostError(reason: error.reason)
        }
        let authority = channel.value.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        // Percent-encoded bytes would be decoded before the name is looked up, and a zero byte would end the name early.
        let isPlain = authority.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-.:".utf8.contains(byte)
        }
        guard isPlain else { throw ForeignHostError(reason: "its host holds other than letters, digits, - and .") }
        return channel
    }
}
