import PushModel

extension OldestDelivery {
    /// Reads a row with the channel's number, the application and the creation date.
    init?(_ row: StoreRow) throws {
        guard let channel = DeliveryChannel(rawValue: try row.value("channel")) else { return nil }
        self.init(
            channel: channel, applicationID: try row.value("application_id") as String?,
            created: try row.date("created_at"))
    }
}
