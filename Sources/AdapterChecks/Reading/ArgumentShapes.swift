/// The arguments that the functions of `WL.Server` take, as the runtime's bindings read them (server-api 2).
enum ArgumentShapes {
    struct Argument: Sendable {
        let shape: ArgumentShape
        var isRequired = true
    }

    private typealias Option = ArgumentShape.Option

    private static func required(_ name: String, _ shape: ArgumentShape) -> Option {
        Option(name: name, shape: shape, isRequired: true)
    }

    private static func optional(_ name: String, _ shape: ArgumentShape) -> Option { Option(name: name, shape: shape) }

    static let callbacks = [
        "onDeviceSubscribe", "onDeviceUnsubscribe", "onUserSubscribe", "onUserUnsubscribe", "onUserChange",
    ]
    static let methods = ["get", "post", "put", "delete", "head", "patch", "options"]

    private static let transformation = ArgumentShape.options([
        required("type", .choice(["default", "xslFile", "void"], ignoringCase: false)), optional("xslFile", .string),
    ])

    private static let userSubscription = Argument(shape: .made(by: "getUserNotificationSubscription"))
    private static let deviceSubscription = Argument(shape: .made(by: "getDeviceSubscriptions"))
    private static let notification = Argument(shape: .map)

    /// The arguments by the function's name.
    static let all: [String: [Argument]] = {
        var table: [String: [Argument]] = [
            "invokeHttp": [
                Argument(
                    shape: .options([
                        required("method", .choice(methods, ignoringCase: true)), required("path", .string),
                        optional("parameters", .map), optional("headers", .map), optional("cookies", .map),
                        optional("body", .options([optional("contentType", .string), optional("content", .any)])),
                        optional("returnedContentType", .contentType), optional("returnedContentEncoding", .string),
                        optional("transformation", transformation),
                        optional("connectionTimeoutInMilliseconds", .number),
                        optional("socketTimeoutInMilliseconds", .number),
                    ]))
            ],
            "createSQLStatement": [Argument(shape: .string)],
            "invokeSQLStatement": [
                Argument(
                    shape: .options([
                        required("preparedStatement", .string), optional("parameters", .any),
                        optional("parametrers", .any), optional("transformation", transformation),
                    ]))
            ],
            "invokeSQLStoredProcedure": [
                Argument(
                    shape: .options([
                        required("procedure", .string), optional("parameters", .any), optional("parametrers", .any),
                        optional("transformation", transformation),
                    ]))
            ],
            "invokeProcedure": [
                Argument(
                    shape: .options([
                        required("adapter", .string), required("procedure", .string), optional("parameters", .any),
                    ]))
            ],
            "createEventSource": [
                Argument(
                    shape: .options(
                        [
                            required("name", .name), optional("securityTest", .string),
                            optional(
                                "poll", .options([optional("interval", .seconds), optional("onPoll", .function)])),
                        ] + callbacks.map { optional($0, .function) }))
            ],
            "getUserNotificationSubscription": [Argument(shape: .string), Argument(shape: .text)],
            "sendMessage": [
                Argument(shape: .string),
                Argument(
                    shape: .options([
                        required("message", .any), optional("target", .any), optional("settings", .any),
                    ])),
            ],
            "setActiveUser": [Argument(shape: .string), Argument(shape: .identity, isRequired: false)],
            "getActiveUser": [Argument(shape: .string, isRequired: false)],
            "getCurrentUserIdentity": [Argument(shape: .string, isRequired: false)],
            "logActivity": [Argument(shape: .string)],
            "addResponseHeader": [Argument(shape: .string), Argument(shape: .text)],
            "getPropertyValue": [Argument(shape: .string)],
            "subscribeSMS": [Argument(shape: .string), Argument(shape: .text), Argument(shape: .string)],
            "getSMSSubscription": [Argument(shape: .string), Argument(shape: .text)],
            "unsubscribeSMS": [Argument(shape: .string), Argument(shape: .text)],
            "setEventHandlers": [Argument(shape: .array)],
            "notifyDeviceSubscription": [deviceSubscription, notification],
            "submitNotification": [deviceSubscription, notification],
        ]
        for name in ["notifyAllDevices", "notifyAll"] { table[name] = [userSubscription, notification] }
        for name in ["notifyDevice", "notifyDeviceToken"] {
            table[name] = [userSubscription, Argument(shape: .text), notification]
        }
        for name in ["createEventHandler", "createSMSEventHandler", "createUSSDEventHandler"] {
            table[name] = [Argument(shape: .map), Argument(shape: .function)]
        }
        return table
    }()
}
