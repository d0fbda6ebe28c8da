public import PushModel

/// What can be asked of an installation, from the command line or over the network.
public enum ManagementRequest: Sendable, Hashable {
    /// Calls a procedure. An attended call ends when whoever asked for it goes away; another one goes on to its end.
    case invoke(adapter: String, procedure: String, parameters: String, isAttended: Bool = false)
    /// As an attended `invoke`, with what the call did: the reply is `{"result": …, "trace": …}`.
    case traceInvocation(adapter: String, procedure: String, parameters: String)
    /// Runs an event source's poll once, besides when it is due, in a scope of its own; the reply is as that of `traceInvocation`.
    case tracePoll(adapter: String, eventSource: String)
    /// Gives an event to an adapter's handlers, in a scope of its own; the reply is as that of `traceInvocation`.
    ///
    /// - event: JSON, as ``AdapterEvent`` reads it.
    case traceEvent(adapter: String, kind: String, event: String)
    /// Evaluates code in an adapter's scope; not in production.
    case evaluate(EvaluationForm)
    case subscribe(SubscriptionForm)
    case unsubscribe(SubscriptionForm)
    /// Lists device subscriptions, then SMS subscriptions; a `nil` filter matches everything.
    case subscriptions(eventSource: String?, user: String?, application: String? = nil)
    case deliveries(state: String?, limit: Int)
    case status
    /// What the operator decided for versions of applications.
    case applicationRules
    case setApplicationRule(ApplicationRuleForm)
    /// Of the form only what names the version counts.
    case removeApplicationRule(ApplicationRuleForm)
    case clientLog(ClientLogForm)
    /// Sends a message without an adapter. A request that is repeated under the same key sends nothing again.
    ///
    /// - body: `application`, and the options of `sendMessage`.
    case send(JSONValue, idempotencyKey: String? = nil)
    /// What has become of a message.
    case message(id: String)
    /// The adapters that run.
    case adapters
    /// Deploys what an adapter's folder in the project holds.
    case deploy(adapter: String)
    case undeploy(adapter: String)
}

/// A rule for an application's version as somebody asks for it, unchecked.
public struct ApplicationRuleForm: Sendable, Hashable, Codable {
    public var application: String
    public var environment: String
    public var version: String
    /// `active`, `notify` or `disabled`; what holds already, or `active`, when it is not given.
    public var access: String?
    /// What users of the version read.
    public var message: String?
    /// Where they get another version.
    public var downloadLink: String?
    /// Of the version's web resources; for hybrid clients of 5.0.6.
    public var checksum: Int?

    public init(
        application: String, environment: String, version: String, access: String? = nil, message: String? = nil,
        downloadLink: String? = nil, checksum: Int? = nil
    ) {
        self.application = application
        self.environment = environment
        self.version = version
        self.access = access
        self.message = message
        self.downloadLink = downloadLink
        self.checksum = checksum
    }
}

/// What is looked for in the logs of clients; what is `nil` matches everything.
public struct ClientLogForm: Sendable, Hashable {
    public var level: String?
    public var application: String?
    public var device: String?
    /// Stands in the message or in the package's name, in any case.
    public var text: String?
    /// Only entries before this one, by its number; for the next page.
    public var before: Int?
    /// At most so many, 1 to 1000.
    public var limit: Int

    public init(
        level: String? = nil, application: String? = nil, device: String? = nil, text: String? = nil,
        before: Int? = nil, limit: Int = 100
    ) {
        self.level = level
        self.application = application
        self.device = device
        self.text = text
        self.before = before
        self.limit = limit
    }
}

/// A subscription as somebody asks for it, unchecked.
public struct SubscriptionForm: Sendable, Hashable, Codable {
    /// `Adapter.EventSource`.
    public var eventSource: String
    public var user: String
    public var device: String
    /// Not needed to unsubscribe.
    public var platform: String?
    /// Not needed to unsubscribe.
    public var token: String?
    /// The event source's name when it is not given.
    public var alias: String?
    /// The project's only one when it is not given.
    public var application: String?
    /// Asks for what the callbacks did, in a scope of their own: the reply is `{"result": …, "trace": …}`.
    public var trace: Bool?

    public init(
        eventSource: String, user: String, device: String, platform: String? = nil, token: String? = nil,
        alias: String? = nil, application: String? = nil, trace: Bool? = nil
    ) {
        self.eventSource = eventSource
        self.user = user
        self.device = device
        self.platform = platform
        self.token = token
        self.alias = alias
        self.application = application
        self.trace = trace
    }
}

/// Code for an adapter's scope.
public struct EvaluationForm: Sendable, Hashable, Codable {
    public var adapter: String
    public var code: String
    /// The number of the first line, for errors: 1 to 1,000,000, and 1 when it is not given.
    public var line: Int?
    /// Asks for the names with which the code could go on, and evaluates nothing.
    public var isCompletion: Bool?

    public init(adapter: String, code: String, line: Int? = nil, isCompletion: Bool? = nil) {
        self.adapter = adapter
        self.code = code
        self.line = line
        self.isCompletion = isCompletion
    }
}

/// The answer to a ``ManagementRequest``.
public struct ManagementReply: Sendable, Hashable {
    /// JSON.
    public let body: String
    /// Whether it says that all went well.
    public let isSuccessful: Bool

    public init(body: String, isSuccessful: Bool) {
        self.body = body
        self.isSuccessful = isSuccessful
    }
}

/// A request that cannot be answered, because of something in it.
public struct ManagementError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field that is not as it must be.
    public let field: String
    public let reason: String

    public var description: String { "\(field): \(reason)" }
}
