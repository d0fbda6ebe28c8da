package import Core
import CoreMetrics

/// Counts the requests of clients and back ends.
package struct ClientRequestMetrics: Sendable {
    /// The purpose of a request.
    package enum Route: String, Sendable, CaseIterable {
        /// A call of a procedure by an application.
        case query
        /// Any other action of an application.
        case application
        case service, invoke
        case developmentInvoke = "dev_invoke"
        case adapter, authorization, token
        case webPush = "web_push"
        case phoneGateway = "phone_gateway"
        /// A file of an application for browsers.
        case webApp = "web_app"
    }

    /// The first digit of a status.
    package enum Status: String, Sendable, CaseIterable {
        case success = "2xx"
        case redirection = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"

        package init(_ code: Int) {
            self =
                switch code {
                case ..<300: .success
                case ..<400: .redirection
                case ..<500: .clientError
                default: .serverError
                }
        }
    }

    /// The counters of each kind of request.
    package let routes: [Route: LabelledCounters<Status>]

    init(factory: any MetricsFactory) {
        routes = Dictionary(
            uniqueKeysWithValues: Route.allCases.map {
                ($0, LabelledCounters<Status>(.clientRequests, "status", [("route", $0.rawValue)], factory))
            })
    }
}
