import PushModel

extension PushPlan {
    /// Gateways need no credentials but their own parameters. In development no text message goes out that somebody would
    /// have to pay, unless the gateways are replaced by something that only looks like one.
    mutating func planSMS() {
        let gateways = settings.smsGateways.values.sorted { $0.id < $1.id }
        let endpoint = push.credentials.smsEndpoint
        guard !gateways.isEmpty, isProduction || endpoint != nil else { return }
        senders[.init(service: .sms)] = .sms(gateways, endpoint)
    }
}
