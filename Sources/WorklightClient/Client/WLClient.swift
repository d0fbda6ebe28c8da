// Sections in doc comments are seed 004's.
public import Foundation
import Synchronization

/// A client of a Worklight server (seed 004, 2.2).
///
/// ```swift
/// let client = WLClient.sharedInstance()!
/// try await client.connect()
/// let answer = try await client.invoke("demoAdapter", "getDemoAccount", "123-456-789")
/// print(answer.object?["balance"] ?? "")
/// ```
///
/// It may be used from any thread. Delegates, listeners and challenge handlers are called on ``callbackQueue``, the
/// main queue unless the application sets another serial queue.
public final class WLClient: NSObject, Sendable {
    /// The core, or the state that the application has set before the core exists.
    private struct PendingSharedClient: Sendable {
        var core: ClientCore?
        var beforehand = ClientCore.State()
    }

    private let making = Mutex(PendingSharedClient())
    private let queue = Mutex(DispatchQueue.main)
    private let readSettings: @Sendable () throws(SettingsProblem) -> WorklightSettings
    private let folder: URL?
    private let trustRoots: TrustRoots?
    /// The push notifications of this client's application. ``WLPush/sharedInstance()`` returns those of the shared client.
    public let push: WLPush

    private static let shared = WLClient(folder: nil, trustRoots: nil) { () throws(SettingsProblem) in
        try WorklightSettings(in: .main)
    }

    /// Returns the application's shared client. It reads `worklight.plist` from the application's resources at its first use; `onFailure`
    /// of `wlConnect` reports an error in the file.
    public class func sharedInstance() -> WLClient! { shared }

    /// Creates a separate client, with its own cookies and device id. This initializer is an extension; the original has only the shared
    /// client.
    ///
    /// - Parameters:
    ///   - settings: the server and the application.
    ///   - folder: the folder for the device's id and for persistent cookies; `nil` for a folder of the application in
    ///     Application Support.
    ///   - trustRoots: certificates to trust in addition to the system's.
    public convenience init(settings: WorklightSettings, folder: URL? = nil, trustRoots: TrustRoots? = nil) {
        self.init(folder: folder, trustRoots: trustRoots) { () throws(SettingsProblem) in settings }
    }

    private init(
        folder: URL?, trustRoots: TrustRoots?,
        settings: @escaping @Sendable () throws(SettingsProblem) -> WorklightSettings
    ) {
        self.folder = folder
        self.trustRoots = trustRoots
        readSettings = settings
        push = WLPush()
        super.init()
        push.attach(self)
    }

    /// The serial queue on which delegates, listeners and challenge handlers are called; the main queue by default. On Linux the main
    /// queue runs only in programs that call `dispatchMain()` or run the main run loop.
    public var callbackQueue: DispatchQueue {
        get { queue.withLock { $0 } }
        set { queue.withLock { $0 = newValue } }
    }

    // MARK: The core

    /// Returns the client's core, which is created at the first call.
    ///
    /// - Throws: ``WLError`` when `worklight.plist` is missing or invalid, or when the trusted certificates cannot be read.
    func core() throws(WLError) -> ClientCore {
        try making.withLock { making throws(WLError) -> ClientCore in
            if let core = making.core { return core }
            let settings: WorklightSettings
            do throws(SettingsProblem) {
                settings = try readSettings()
            } catch {
                throw WLError(WLErrorCodeUnexpectedError, "\(error)")
            }
            let core = try ClientCore(settings, folder: folder, trustRoots: trustRoots, state: making.beforehand) {
                [weak push] in push?.take($0)
            }
            making.core = core
            return core
        }
    }

    /// Changes the state of the core. A change before the core exists is stored for it.
    func change(_ change: (inout ClientCore.State) -> Void) {
        making.withLock { making in
            if let core = making.core {
                core.state.withLock { change(&$0) }
            } else {
                change(&making.beforehand)
            }
        }
    }

    /// Runs a call and passes its result to the delegate, on the callback queue.
    func run(
        _ delegate: (any WLDelegate)?, context: Any? = nil, isProcedure: Bool = false,
        _ call: @escaping @Sendable (ClientCore) async throws -> WLAnswer
    ) {
        let receiver = Handover((delegate: delegate, context: context))
        Task {
            let result: Result<WLAnswer, WLError>
            do {
                result = .success(try await call(try core()))
            } catch {
                result = .failure(error as? WLError ?? WLError(WLErrorCodeUnexpectedError, "\(error)"))
            }
            callbackQueue.async {
                let (delegate, context) = receiver.object
                switch result {
                case .success(let answer):
                    delegate?.onSuccess(WLResponse(answer: answer, context: context, isProcedure: isProcedure))
                case .failure(let error):
                    delegate?.onFailure(WLFailResponse(error, context: context, isProcedure: isProcedure))
                }
            }
        }
    }
}
