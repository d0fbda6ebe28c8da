// Sections in doc comments are seed 004's.
public import Foundation
import Synchronization

/// Speaks with a Worklight server (seed 004, 2.2).
///
/// It may be used from any thread. Delegates, listeners and challenge handlers are called on ``callbackQueue``, the
/// main queue unless the application chooses another one; it must be a serial queue.
public final class WLClient: NSObject, Sendable {
    /// The requests of a client that is not made yet are kept until it is.
    private struct PendingSharedClient: Sendable {
        var core: ClientCore?
        var beforehand = ClientCore.State()
    }

    private let making = Mutex(PendingSharedClient())
    private let queue = Mutex(DispatchQueue.main)
    private let readSettings: @Sendable () throws(SettingsProblem) -> WorklightSettings
    private let folder: URL?
    private let trustRoots: TrustRoots?
    /// The notifications of this client's application. ``WLPush/sharedInstance()`` is that of the shared client.
    public let push: WLPush

    private static let shared = WLClient(folder: nil, trustRoots: nil) { () throws(SettingsProblem) in
        try WorklightSettings(in: .main)
    }

    /// The application's client. It reads `worklight.plist` from the application's resources when it first needs it;
    /// what is wrong with the file comes to `onFailure` of `wlConnect`.
    public class func sharedInstance() -> WLClient! { shared }

    /// A client of its own, with its own cookies and device id; ours, not the original's.
    ///
    /// - Parameters:
    ///   - folder: where the device's id and lasting cookies are kept; `nil` for a folder of the application's in
    ///     Application Support.
    ///   - trustRoots: certificates to trust besides the system's.
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

    /// Where delegates, listeners and challenge handlers are called: the main queue unless set. On Linux the main queue
    /// runs only in programs that call `dispatchMain()` or run the main run loop.
    public var callbackQueue: DispatchQueue {
        get { queue.withLock { $0 } }
        set { queue.withLock { $0 = newValue } }
    }

    // MARK: The core

    /// The conversation, begun when it is first needed.
    ///
    /// - Throws: ``WLError`` when `worklight.plist` is missing or wrong.
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

    /// What is set before the first connect is kept for it.
    func change(_ change: (inout ClientCore.State) -> Void) {
        making.withLock { making in
            if let core = making.core {
                core.state.withLock { change(&$0) }
            } else {
                change(&making.beforehand)
            }
        }
    }

    /// Runs a call, and tells the delegate on the callback queue how it went.
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
