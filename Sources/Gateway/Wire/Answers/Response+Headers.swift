import AdapterRuntime
import HTTPServer
import HTTPTypes

extension Response {
    /// With what a procedure added by `WL.Server.addResponseHeader`. Of the headers that an answer has once, the
    /// procedure's goes over ours; those that only the server may set have been refused when they were added.
    func adding(_ headers: [ProcedureResult.Header]) -> Response {
        guard !headers.isEmpty else { return self }
        let once: Set<HTTPField.Name> = [.contentType, .cacheControl, .pragma, .expires]
        var response = self
        for header in headers {
            // Whatever could end a header early was refused when the script added it; this is what stands last.
            guard let field = try? ResponseHeader.field(name: header.name, value: header.value) else { continue }
            if once.contains(field.name) {
                response.headers[field.name] = field.value
            } else {
                response.headers.append(field)
            }
        }
        return response
    }
}
