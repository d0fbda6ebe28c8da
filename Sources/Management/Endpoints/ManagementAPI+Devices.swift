import AdapterRuntime
import Core
import Foundation
import Installation
import PushModel

extension ManagementAPI {
    private static let device = JSONSchema.object([
        .required("application", .anyText), .required("device", .anyText), .optional("user", .anyText),
        .required("platform", .anyText), .required("token", .anyText), .optional("lastSeen", .time),
        .optional("blocked", .time),
    ])

    private static let blocked = JSONSchema.object([
        .required("application", .anyText), .required("device", .anyText), .required("blocked", .time),
    ])

    static let deviceRoutes: [ManagementRoute] = [
        .get(
            "users", "List the users who have registered or subscribed.",
            [.query("prefix", .name, "Users whose id begins with this prefix; upper and lower case differ.")]
                + pageParameters,
            answer: .page(
                of: .object([.required("user", .anyText)]))
        ) { api, input in
            let (prefix, after) = (input.text("prefix") ?? "", try input.cursor().map { try $0.text(0) })
            let page = try await runBlocking { [store = api.store, limit = input.limit] in
                try store.users(startingWith: prefix, after: after, limit: limit)
            }
            return Self.page(
                page.items.map { ["user": .string($0)] }, next: page.next.map { [.string($0)] })
        },
        .get(
            "devices", "List the registered devices.",
            [
                .query("application", .name, "Devices of this application."),
                .query("user", .name, "Devices whose last user this is."),
                .query("platform", .choice(Platform.allCases.map(\.rawValue)), "Devices of this platform."),
                .query("tag", .name, "Devices that subscribed to this tag."),
                .query("prefix", .name, "Devices whose id begins with this prefix; upper and lower case differ."),
            ] + pageParameters, answer: .page(of: device)
        ) { api, input in
            let filter = DeviceFilter(
                applicationID: input.text("application"), idPrefix: input.text("prefix"), userID: input.text("user"),
                platform: input.text("platform").flatMap { Platform(rawValue: $0) }, tag: input.text("tag"))
            let after = try input.cursor().map {
                DevicePosition(applicationID: try $0.text(0), deviceID: try $0.text(1))
            }
            let (page, seen) = try await runBlocking { [store = api.store, limit = input.limit] in
                let page = try store.devices(matching: filter, after: after, limit: limit)
                return (page, try store.lastSeen(page.items.map(\.position)))
            }
            return Self.page(
                page.items.map { .object(api.json(of: $0, seen: seen[$0.position])) },
                next: page.next.map { [.string($0.applicationID), .string($0.deviceID)] })
        },
        .get(
            "devices/{application}/{device}", "Show a device with its tags and subscriptions.",
            answer: .object([
                .required("application", .anyText), .required("device", .anyText), .optional("user", .anyText),
                .required("platform", .anyText), .required("token", .anyText), .optional("lastSeen", .time),
                .optional("blocked", .time), .required("tags", .list(.anyText)),
                .required("subscriptions", .list(subscription)),
            ]), problems: [.notFound]
        ) { api, input in
            let (application, device) = (input.required("application"), input.required("device"))
            return try await runBlocking { [store = api.store] in
                guard let registration = try store.registration(applicationID: application, deviceID: device) else {
                    throw Self.unknownDevice(application, device)
                }
                let seen = try store.lastSeen([registration.position])
                var object = api.json(of: registration, seen: seen[registration.position])
                object["tags"] = .array(
                    try store.tags(applicationID: application, deviceID: device).map { .string($0) })
                let filter = SubscriptionFilter(deviceID: device, applicationID: application)
                object["subscriptions"] = .array(try store.deviceSubscriptions(matching: filter).map(\.json))
                return .object(object)
            }
        },
        .change(
            "DELETE", "devices/{application}/{device}",
            "Remove a device's registration with its tags and subscriptions; the adapters' callbacks run.",
            role: .operator, audit: "DeviceDeletion",
            answer: .object([.required("subscriptions", .count), .required("tags", .count)]), problems: [.notFound]
        ) { api, input in
            let (application, device) = (input.required("application"), input.required("device"))
            let store = api.store
            let known = try await runBlocking {
                (
                    try store.registration(applicationID: application, deviceID: device),
                    try store.tags(applicationID: application, deviceID: device)
                )
            }
            guard let registration = known.0 else { throw Self.unknownDevice(application, device) }
            let ended = try await api.installation.runtime.end(Caller()) { change in
                try store.unregister(
                    applicationID: application, deviceID: device, token: nil, notSince: nil, owing: change
                )?.subscriptions ?? []
            }
            input.note.set(before: .object(registration.json))
            return ManagementAnswer([
                "subscriptions": .number(Double(ended.count)), "tags": .number(Double(known.1.count)),
            ])
        },
        .change(
            "PUT", "devices/{application}/{device}/block",
            "Block a device: its app's requests and deliveries to it are refused, registered or not. Of an id with ~ the part before it counts.",
            role: .operator,
            audit: "DeviceStatusChange", answer: blocked
        ) { api, input in
            let device = api.blocked(input)
            try await runBlocking { [blocks = api.installation.security.blocks] in try blocks.block(device) }
            input.note.set(after: device.json)
            return ManagementAnswer(device.json)
        },
        .change(
            "DELETE", "devices/{application}/{device}/block", "End the block of a device.", role: .operator,
            audit: "DeviceStatusChange", answer: blocked, problems: [.notFound]
        ) { api, input in
            let device = api.blocked(input)
            guard try await runBlocking({ [blocks = api.installation.security.blocks] in try blocks.unblock(device) })
            else {
                throw ManagementError(.notFound, "the device is not blocked")
            }
            input.note.set(before: device.json)
            return ManagementAnswer(device.json)
        },
        .get(
            "blocked-devices", "List the blocked devices.", answer: .page(of: blocked)
        ) { api, _ in
            let devices = try await runBlocking { [store = api.store] in try store.blockedDevices() }
            return ["items": .array(devices.map(\.json))]
        },
        .get(
            "tags", "List the tags that the applications declare.",
            [.query("application", .name, "Tags of this application.")],
            answer: .page(of: .object([.required("application", .anyText), .required("tag", .anyText)]))
        ) { api, input in
            let wanted = input.text("application")
            let items = api.installation.project.applicationTags.sorted { $0.key < $1.key }
                .filter { wanted == nil || $0.key == wanted }
                .flatMap { application, tags in
                    tags.declared.map { ["application": .string(application), "tag": .string($0)] as JSONValue }
                }
            return ["items": .array(items)]
        },
    ]

    /// The device that the path names.
    private func blocked(_ input: ManagementInput) -> BlockedDevice {
        let (application, device) = (input.required("application"), input.required("device"))
        let date = installation.security.blocks.date(applicationID: application, deviceID: device)
        return BlockedDevice(applicationID: application, deviceID: device, blockedAt: date ?? installation.time.now)
    }

    private func json(of registration: DeviceRegistration, seen: Date?) -> JSONObject {
        var object = registration.json
        object["lastSeen"] = (seen?.spelling).map(JSONValue.string)
        let blocked = installation.security.blocks.date(
            applicationID: registration.applicationID, deviceID: registration.deviceID)
        object["blocked"] = (blocked?.spelling).map(JSONValue.string)
        return object
    }

    private static func unknownDevice(_ application: String, _ device: String) -> ManagementError {
        ManagementError(
            .notFound, "unknown device '\(device.prefix(100))' of the application '\(application.prefix(100))'")
    }
}

extension BlockedDevice {
    fileprivate var json: JSONValue {
        [
            "application": .string(applicationID), "device": .string(deviceID), "blocked": .string(blockedAt.spelling),
        ]
    }
}

extension DeviceRegistration {
    fileprivate var position: DevicePosition { DevicePosition(applicationID: applicationID, deviceID: deviceID) }

    /// For the command line and the management API. The token is shortened: it is an address that works.
    var json: JSONObject {
        var object: JSONObject = ["application": .string(applicationID), "device": .string(deviceID)]
        object["user"] = userID.map(JSONValue.string)
        object["platform"] = .string(platform.rawValue)
        object["token"] = .string(token.description)
        return object
    }
}
