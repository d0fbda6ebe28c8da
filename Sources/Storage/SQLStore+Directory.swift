import Core
public import PushModel

public import struct Foundation.Date

extension SQLStore: DirectoryStore {
    public func devices(
        matching filter: DeviceFilter, after position: DevicePosition?, limit: Int
    ) throws(StoreError) -> ListPage<DeviceRegistration, DevicePosition> {
        try database.read { database in
            var items: [DeviceRegistration] = []
            var application = filter.applicationID ?? position?.applicationID
            if application == nil { application = try database.application(after: nil) }
            var after = position?.applicationID == application ? position?.deviceID : nil
            while let current = application {
                let page = try database.devices(
                    of: current, filter, after: after, limit: limit - items.count)
                items += page.items
                if let next = page.next {
                    return ListPage(items: items, next: DevicePosition(applicationID: current, deviceID: next))
                }
                application = filter.applicationID == nil ? try database.application(after: current) : nil
                after = nil
                if items.count == limit {
                    return ListPage(
                        items: items, next: application.map { DevicePosition(applicationID: $0, deviceID: "") })
                }
            }
            return ListPage(items: items, next: nil)
        }
    }

    public func lastSeen(_ devices: [DevicePosition]) throws(StoreError) -> [DevicePosition: Date] {
        try database.read { database in
            var dates: [DevicePosition: Date] = [:]
            for device in devices {
                let row = try database.row(
                    "SELECT confirmed_at FROM device_registration WHERE application_id = ? AND device_id = ?",
                    [device.applicationID, device.deviceID])
                dates[device] = try row?.optionalDate("confirmed_at")
            }
            return dates
        }
    }

    public func recipients(
        of target: BroadcastTarget, applicationID: String
    ) throws(StoreError) -> [(count: Int, example: DeliveryTarget)] {
        try database.read { database in
            var found: [Platform: (count: Int, example: DeliveryTarget)] = [:]
            var number = 0
            while let part = target.part(number) {
                number += 1
                let query = RecipientQuery(part, of: applicationID, examplesOf: nil, in: database)
                var counts: [Platform: Int] = [:]
                try database.forEachRow(query.sql, query.arguments) {
                    counts[try $0.choice("platform")] = try $0.value("number")
                }
                for (platform, count) in counts {
                    if let known = found[platform] {
                        found[platform] = (known.count + count, known.example)
                        continue
                    }
                    let query = RecipientQuery(part, of: applicationID, examplesOf: platform, in: database)
                    guard let row = try database.row(query.sql, query.arguments) else { continue }
                    let example: DeliveryTarget =
                        part.kind == .eventSource
                        ? .subscription(try row.deviceSubscription())
                        : .registration(try row.deviceRegistration(), by: part.address)
                    found[platform] = (count, example)
                }
            }
            return Platform.allCases.compactMap { found[$0] }
        }
    }

    public func users(
        startingWith prefix: String, after userID: String?, limit: Int
    ) throws(StoreError) -> ListPage<String, String> {
        try database.read { database in
            var names: Set<String> = []
            var application = try database.application(after: nil)
            let range = TextRange(prefix: prefix, after: userID)
            while let current = application {
                names.formUnion(
                    try database.users(
                        "device_registration", "application_id = ? AND", [current], range, limit: limit))
                application = try database.application(after: current)
            }
            for table in ["device_subscription", "sms_subscription"] {
                names.formUnion(try database.users(table, "", [], range, limit: limit))
            }
            // By bytes, as both databases compare.
            let page = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit)
            return ListPage(items: Array(page), next: page.count == limit ? page.last : nil)
        }
    }

    public func subscriptions(
        matching filter: SubscriptionFilter, after position: SubscriptionPosition?, limit: Int
    ) throws(StoreError) -> ListPage<AnySubscription, SubscriptionPosition> {
        try database.read { database in
            var items: [AnySubscription] = []
            let start: [String]
            switch position {
            case .sms(let source, let digits):
                return try database.smsPage(filter, after: [source.adapter, source.name, digits], limit, items)
            case .device(let source, let user, let device, let application):
                start = [source.adapter, source.name, user, device, application]
            case nil: start = []
            }
            let page = try database.page(
                of: "device_subscription", key: ["adapter", "event_source", "user_id", "device_id", "application_id"],
                filter, after: start, limit
            ) { row in try row.deviceSubscription() }
            items += page.items.map(AnySubscription.device)
            if let next = page.next {
                return ListPage(
                    items: items,
                    next: .device(
                        EventSourceID(adapter: next[0], name: next[1]), userID: next[2], deviceID: next[3],
                        applicationID: next[4]))
            }
            // Phone numbers have no device.
            guard filter.deviceID == nil else { return ListPage(items: items, next: nil) }
            return try database.smsPage(filter, after: [], limit, items)
        }
    }

    public func registrationCounts() throws(StoreError) -> RegistrationCounts {
        try database.read { database in
            func count(_ table: String) throws -> Int {
                try database.first(Int.self, "SELECT count(*) FROM \(table)") ?? 0
            }
            return RegistrationCounts(
                devices: try count("device_registration"), subscriptions: try count("device_subscription"),
                smsSubscriptions: try count("sms_subscription"))
        }
    }
}

/// The range of strings with a prefix that come after another one.
private struct TextRange {
    private let prefix: String
    private let after: String?

    init(prefix: String, after: String?) {
        (self.prefix, self.after) = (prefix, after)
    }

    /// The first string after all those with the prefix: both databases compare bytes, and no byte of UTF-8 is 0xFF. `nil` without a prefix.
    var end: String? { prefix.isEmpty ? nil : prefix + "\u{10FFFF}" }

    func condition(_ column: String) -> String {
        let start = after.map { _ in "\(column) > ?" } ?? "\(column) >= ?"
        return end.map { _ in "\(start) AND \(column) >= ? AND \(column) < ?" } ?? start
    }

    var arguments: [String] { [after ?? prefix] + (end.map { [prefix, $0] } ?? []) }
}

extension StoreTransaction {
    /// The first application with registered devices after another one. There are few, so each is looked up in an index.
    fileprivate func application(after application: String?) throws -> String? {
        try first(
            String.self,
            "SELECT application_id FROM device_registration WHERE application_id > ? ORDER BY application_id LIMIT 1",
            [application ?? ""])
    }

    /// The first users of a table in a range. Looks up one user after the other in the index, however many rows each has.
    ///
    /// - Parameter condition: the columns before the user in the index, and AND.
    fileprivate func users(
        _ table: String, _ condition: String, _ arguments: [String], _ range: TextRange, limit: Int
    ) throws -> [String] {
        let source = "SELECT t.user_id FROM \(table) AS t\(indexed(by: "\(table)_by_user")) WHERE \(condition)"
        let order = "ORDER BY t.user_id LIMIT 1"
        let isBeforeEnd = range.end.map { _ in "AND t.user_id < ?" } ?? ""
        return try all(
            String.self,
            """
            WITH RECURSIVE found (user_id) AS (
                SELECT * FROM (\(source) \(range.condition("t.user_id")) \(order)) AS first
                UNION ALL
                SELECT (\(source) t.user_id > found.user_id \(isBeforeEnd) \(order)) FROM found WHERE found.user_id IS NOT NULL
            )
            SELECT user_id FROM found WHERE user_id IS NOT NULL LIMIT ?
            """, arguments + range.arguments + arguments + [range.end].compactMap(\.self) + [limit])
    }

    fileprivate func devices(
        of application: String, _ filter: DeviceFilter, after device: String?, limit: Int
    ) throws -> ListPage<DeviceRegistration, String> {
        var (table, conditions) = ("device_registration AS r", ["r.application_id = ?"])
        var arguments: [(any StoreArgument)?] = [application]
        var others: [(String, String)] = []
        let platform = filter.platform.map { ("r.platform = ?", $0.rawValue) }
        let user = filter.userID.map { ("r.user_id = ?", $0) }
        if let tag = filter.tag {
            table = "tag_subscription AS t CROSS JOIN device_registration AS r"
            conditions = [
                "t.application_id = ?", "t.tag = ?", "r.application_id = t.application_id", "r.device_id = t.device_id",
            ]
            arguments.append(Tags.normalised(tag))
            others = [user, platform].compactMap(\.self)
        } else if let user {
            table += indexed(by: "device_registration_by_user")
            conditions.append(user.0)
            arguments.append(user.1)
            others = [platform].compactMap(\.self)
        } else if let platform {
            table += indexed(by: "device_registration_by_platform")
            conditions.append(platform.0)
            arguments.append(platform.1)
        }
        let column = filter.tag == nil ? "r.device_id" : "t.device_id"
        let range = TextRange(prefix: filter.idPrefix ?? "", after: device)
        conditions.append(range.condition(column))
        arguments += range.arguments
        let source = "FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
        let (bound, next) = try bound(source, arguments, column: column, isNeeded: !others.isEmpty)
        let condition = ([bound.map { _ in "\(column) <= ?" }].compactMap(\.self) + others.map(\.0))
            .map { " AND " + $0 }.joined()
        let items = try rows(
            "SELECT r.* \(source)\(condition) ORDER BY \(column) LIMIT ?",
            arguments + [bound].compactMap(\.self) + others.map(\.1) + [limit]
        ).map { try $0.deviceRegistration() }
        return ListPage(items: items, next: items.count == limit ? items.last?.deviceID : next)
    }

    /// The last of the rows that a page examines.
    ///
    /// - Returns: its value, and where the next page begins; `nil` when all the rows are examined.
    private func bound(
        _ source: String, _ arguments: [(any StoreArgument)?], column: String, isNeeded: Bool
    ) throws -> (bound: String?, next: String?) {
        guard isNeeded else { return (nil, nil) }
        let last = try first(
            String.self, "SELECT \(column) \(source) ORDER BY \(column) LIMIT 1 OFFSET ?",
            arguments + [longestSearch - 1])
        return (last, last)
    }

    fileprivate func smsPage(
        _ filter: SubscriptionFilter, after position: [String], _ limit: Int, _ before: [AnySubscription]
    ) throws -> ListPage<AnySubscription, SubscriptionPosition> {
        guard limit > before.count else {
            return ListPage(items: before, next: .sms(EventSourceID(adapter: "", name: ""), digits: ""))
        }
        let page = try page(
            of: "sms_subscription", key: ["adapter", "event_source", "digits"], filter, after: position,
            limit - before.count
        ) { row in try row.smsSubscription() }
        return ListPage(
            items: before + page.items.map(AnySubscription.sms),
            next: page.next.map { .sms(EventSourceID(adapter: $0[0], name: $0[1]), digits: $0[2]) })
    }

    /// A page of a table of subscriptions, in the order of its key.
    fileprivate func page<Item>(
        of table: String, key: [String], _ filter: SubscriptionFilter, after position: [String], _ limit: Int,
        _ read: (StoreRow) throws -> Item
    ) throws -> ListPage<Item, [String]> {
        let columns = key.joined(separator: ", ")
        // An index serves the event source, a user and a device. An application is searched for among the rows of a page.
        let isSearch = filter.applicationID != nil && filter.userID == nil && filter.deviceID == nil
        var indexed = filter
        if isSearch { indexed.applicationID = nil }
        var (conditions, arguments) = indexed.sql
        if !position.isEmpty {
            conditions += " AND (\(columns)) > (\(marks(key.count)))"
            arguments += position
        }
        let index =
            filter.userID != nil
            ? self.indexed(by: "\(table)_by_user")
            : filter.deviceID != nil ? self.indexed(by: "\(table)_by_device") : ""
        var source = "SELECT * FROM \(table)\(index) WHERE \(conditions) ORDER BY \(columns)"
        var end: [String]?
        let all = arguments
        if isSearch, let application = filter.applicationID {
            end = try row("\(source) LIMIT 1 OFFSET ?", all + [longestSearch - 1])?.key(key)
            source =
                "SELECT * FROM (\(source) LIMIT \(longestSearch)) AS found WHERE application_id = ? ORDER BY \(columns)"
            arguments.append(application)
        }
        let rows = try rows("\(source) LIMIT ?", arguments + [limit])
        let isFull = rows.count == limit
        return ListPage(items: try rows.map(read), next: isFull ? try rows.last?.key(key) : end)
    }
}

extension StoreRow {
    fileprivate func key(_ columns: [String]) throws -> [String] { try columns.map { try value($0) } }
}
