package import Tracing

package import struct Foundation.UUID

extension Tracer {
    /// Starts a span for an operation of the server's, as a child of the context's span.
    package func span(
        _ name: String, in context: ServiceContext?, ofKind kind: SpanKind = .internal,
        _ attributes: SpanAttributes = [:]
    ) -> any Tracing.Span {
        let span = startSpan(name, context: context ?? .topLevel, ofKind: kind)
        span.attributes = attributes
        return span
    }
}

extension ServiceContext {
    /// The context of the first span of a notification's deliveries.
    package static func notification(_ id: UUID) -> ServiceContext {
        var context = ServiceContext.topLevel
        context.trace = TraceContext(notification: id)
        return context
    }
}

extension SpanLink {
    /// A link to the trace of a notification's deliveries.
    package static func notification(_ id: UUID) -> SpanLink {
        SpanLink(context: .notification(id), attributes: [:])
    }
}

extension Tracing.Span {
    /// Ends the span of an operation that failed.
    ///
    /// - Parameter failure: the kind of failure, from a closed set: the message of an error may quote a user's data. `nil` for success.
    package func end(failure: String?) {
        if let failure {
            setStatus(SpanStatus(code: .error))
            attributes["error.type"] = failure
        }
        end()
    }
}
