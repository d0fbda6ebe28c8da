import HTTPTypes
import Hummingbird
import NIOCore
import PrometheusExporter

extension Routes {
    /// Answers a scrape of Prometheus: with a token of any role, or with `metrics.open` on the console's port.
    ///
    /// - Parameter isConsole: whether the request came to the console's port.
    func metrics(_ request: Request, _ context: ServerRequestContext, isConsole: Bool) async -> Response {
        if !isConsole || !installation.settings.areMetricsOpen {
            do {
                let principal = try await access.principal(
                    request.headers[.authorization], address: address(request, context))
                guard principal != nil else { return Self.unauthorized }
            } catch {
                return Self.response(ManagementError(.unavailable, "\(error)").answer)
            }
        }
        await installation.readStates()
        return Response(
            status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: installation.metrics.registry.text())))
    }
}
