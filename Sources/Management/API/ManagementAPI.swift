import AdapterRuntime
import Core
import Foundation
public import Installation
import Logging
import PushModel
import Synchronization

/// The management API, with which operators and back ends query and change an installation.
///
/// `/management/v1/openapi.json` describes it, from the same ``routes`` that serve calls.
public struct ManagementAPI: Sendable {
    package let installation: Installation
    let logs: LogBuffer
    /// True if the server deploys adapters when their files change.
    let isWatching: Bool
    let state = ManagementState()

    /// - Parameters:
    ///   - logs: the lines of the server's log.
    ///   - isWatching: whether the server deploys adapters when their files change.
    public init(_ installation: Installation, logs: LogBuffer = LogBuffer(), isWatching: Bool = false) {
        (self.installation, self.logs, self.isWatching) = (installation, logs, isWatching)
    }

    var store: any Store { installation.store }

    package static let routes: [ManagementRoute] =
        serverRoutes + adapterRoutes + messageRoutes + deliveryRoutes + deviceRoutes + subscriptionRoutes
        + applicationRoutes + logRoutes + accessRoutes + accountRoutes

    /// Performs a call. It throws nothing: failures are problems.
    public func answer(_ call: ManagementCall, as principal: ManagementPrincipal) async -> ManagementAnswer {
        let (route, path): (ManagementRoute, [String: String])
        do throws(ManagementError) {
            (route, path) = try Self.route(of: call)
        } catch {
            return error.answer
        }
        let note = AuditNote()
        var answer: ManagementAnswer
        do {
            try Self.check(principal, route)
            answer = try await route.action(self, try ManagementInput(call, route, path: path, as: principal, note))
        } catch {
            answer = problem(error, call).answer
        }
        // Calls that are refused before they do anything are not in it: they could push out all other entries. Refused logins are
        // in the server's log. A refused upload has noted its archive.
        if let type = route.auditType,
            note.change.after != nil && answer.status == 400 || ![400, 401, 403, 429].contains(answer.status)
        {
            await audit(type, call, answer, note, as: principal)
        }
        return answer
    }

    /// Finds the route of a call.
    ///
    /// - Throws: ``ManagementError`` with status 404 or 405.
    package static func route(of call: ManagementCall) throws(ManagementError) -> (ManagementRoute, [String: String]) {
        let found = routes.compactMap { route in route.match(call.path).map { (route, $0) } }
        // Words win over parameters.
        let fewest = found.map(\.1.count).min()
        let matching = found.filter { $0.1.count == fewest }
        guard !matching.isEmpty else {
            throw ManagementError(.notFound, "unknown path; GET /management/v1/openapi.json lists all paths")
        }
        guard let route = matching.first(where: { $0.0.method == call.method }) else {
            let allowed = matching.map(\.0.method).joined(separator: ", ")
            throw ManagementError(
                .methodNotAllowed, "expected \(allowed)", more: ["allowed": .string(allowed)])
        }
        return route
    }

    package static func check(
        _ principal: ManagementPrincipal, _ route: ManagementRoute
    ) throws(ManagementError) {
        guard let role = route.role, principal.role < role else { return }
        throw ManagementError(
            .forbidden, "'\(principal.account)' has the role \(principal.role.rawValue); expected \(role.rawValue)")
    }

    private func problem(_ error: any Error, _ call: ManagementCall) -> ManagementError {
        switch error {
        case let problem as ManagementError: return problem
        case let error as UnknownNameError: return ManagementError(.notFound, "\(error)")
        case let error as ClientValueError:
            return ManagementError(
                .badRequest, "expected \(error.expected), found \(error.found)", field: error.field)
        case let error as StoreError:
            installation.security.log.log("request \(error)", at: .error, "\(error)")
            return ManagementError(.unavailable, "\(error)")
        case is CancellationError: return ManagementError(.unavailable, "the call was cancelled")
        default:
            installation.logger.error("management API: \(call.method) \(call.path.joined(separator: "/")): \(error)")
            return ManagementError(.internalError, "\(error)")
        }
    }
}

/// The state that calls of the management API share.
final class ManagementState: Sendable {
    /// The numbers of devices and subscriptions at their last count.
    struct CountedRegistrations {
        var counts: (RegistrationCounts, Date)?
        /// The uptime of the next count.
        var nextCount = Duration.zero
    }

    /// Held while an operator's retry is checked and queued.
    let retries = Mutex(())
    let isUploading = Atomic(false)
    let registrations = Mutex(CountedRegistrations())
}
