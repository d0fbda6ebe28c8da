import Core
package import HTTPServer
import HTTPTypes
package import Installation
import NIOCore

/// A request, and what is known of where it comes from.
package final class IncomingRequest: Sendable {
    let request: Request
    package let origin: RequestOrigin
    /// Of the query and of the body.
    let fields: FormFields

    var body: ByteBuffer { request.body }

    /// The version that the application says it has; `nil` when it says none.
    var appVersion: String? { request.headers.value(of: .appVersion).flatMap { $0.isEmpty ? nil : $0 } }

    /// Reads a request; a long form on another thread than an event loop's.
    package static func reading(_ request: Request, _ installation: Installation) async -> IncomingRequest {
        await ThreadPool.shared.run(ifLong: request.body.readableBytes) {
            IncomingRequest(request, installation)
        }
    }

    /// The same request with other fields.
    init(_ call: IncomingRequest, fields: FormFields) {
        (request, origin, self.fields) = (call.request, call.origin, fields)
    }

    private init(_ request: Request, _ installation: Installation) {
        self.request = request
        origin = RequestOrigin(of: request, at: installation)
        var fields = FormFields(request.query.map(String.init) ?? "")
        let type = request.headers.value(of: .contentType) ?? ""
        if request.method == .post, type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields.add(String(buffer: request.body))
        }
        self.fields = fields
    }
}
