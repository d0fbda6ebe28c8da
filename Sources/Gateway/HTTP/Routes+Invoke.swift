import AdapterRuntime
import HTTPTypes
import Hummingbird
import NIOCore

/// Procedure calls (server-api 4):
///
/// - `GET` and `POST /invoke?adapter=&procedure=&parameters=`, as back ends and test tools call; `/dev/invoke`, as the tools
///   of the original did; a POST may have the fields in a form.
/// - `GET` and `POST /adapters/ADAPTER/PROCEDURE?params=`, as of 7.0.
extension Routes {
    func addInvoke(to root: RouterGroup<GatewayContext>) {
        for path: RouterPath in ["invoke", "dev/invoke"] {
            for method in [HTTPRequest.Method.get, .post] {
                root.on(path, method: method) { request, context in
                    await invoke(request, context) { fields in
                        (fields["adapter"], fields["procedure"], fields["parameters"])
                    }
                }
            }
        }
        for method in [HTTPRequest.Method.get, .post] {
            root.on("adapters/:adapter/:procedure", method: method) { request, context in
                await invoke(request, context) { fields in
                    (
                        context.parameters.get("adapter"), context.parameters.get("procedure"),
                        fields["params"]
                    )
                }
            }
        }
    }

    typealias Names = (adapter: String?, procedure: String?, parameters: String?)

    func invoke(
        _ request: Request, _ context: GatewayContext, _ names: (FormFields) -> Names
    ) async -> Response {
        var fields = FormFields(request.uri.query ?? "")
        if request.method == .post {
            do {
                let body = try await request.body.collect(upTo: installation.settings.longestRequest)
                fields.add(String(buffer: body))
            } catch {
                return Self.failure(
                    "Runtime: the request is longer than \(installation.settings.longestRequest) bytes",
                    status: .contentTooLarge)
            }
        }
        let (adapter, procedure, parameters) = names(fields)
        for (name, value) in [("adapter", adapter), ("procedure", procedure)] where (value ?? "").isEmpty {
            return Self.failure(
                "Runtime: the parameter '\(name)' is missing; expected "
                    + "/invoke?adapter=<Adapter>&procedure=<procedure>&parameters=<JSON array>",
                status: .badRequest)
        }
        let result = await installation.runtime.invoke(
            adapter: adapter ?? "", procedure: procedure ?? "", parameters: parameters ?? "",
            caller: Caller(request: clientRequest(request, context, fields)))
        var response = Self.json(result.json)
        for header in result.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            if name == .contentType || name == .cacheControl {
                response.headers[name] = header.value
            } else {
                response.headers.append(HTTPField(name: name, value: header.value))
            }
        }
        return response
    }

    private func clientRequest(
        _ request: Request, _ context: GatewayContext, _ fields: FormFields
    ) -> ClientRequest {
        let host = request.head.authority ?? "\(installation.settings.host):\(installation.settings.port)"
        let root = installation.settings.contextRoot
        return ClientRequest(
            method: request.method.rawValue, url: "http://\(host)\(request.uri.path)", query: request.uri.query,
            contextPath: root.hasSuffix("/") ? String(root.dropLast()) : root,
            headers: [(name: "Host", value: host)] + request.headers.map { (name: $0.name.rawName, value: $0.value) },
            parameters: fields.all, remoteAddress: context.remoteAddress?.ipAddress ?? "unknown")
    }
}
