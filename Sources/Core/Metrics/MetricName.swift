/// The names of all metrics, with their descriptions. Their labels are in docs/operating/monitor.md.
///
/// Values of labels come from the code, the settings and the project's files, never from a client: no user, device, token or
/// address.
package enum MetricName: String, Sendable, CaseIterable {
    // Calls
    case procedureCalls = "lamplighter_procedure_calls_total"
    case procedureSeconds = "lamplighter_procedure_seconds"
    case callLimits = "lamplighter_call_limits_total"
    case backEndRequests = "lamplighter_back_end_requests_total"
    case backEndSeconds = "lamplighter_back_end_seconds"
    case clientRequests = "lamplighter_client_requests_total"
    case guardActions = "lamplighter_guard_actions_total"
    case sessions = "lamplighter_sessions"
    case calls = "lamplighter_calls"
    case scopes = "lamplighter_scopes"
    case machines = "lamplighter_machines"

    // Deliveries
    case endedDeliveries = "lamplighter_deliveries_total"
    case attemptSeconds = "lamplighter_delivery_attempt_seconds"
    case deliveries = "lamplighter_deliveries"
    case oldestDelivery = "lamplighter_oldest_delivery_age_seconds"
    case credentialExpiry = "lamplighter_credential_expiry_seconds"

    // Polls
    case pollRuns = "lamplighter_poll_runs_total"
    case pollSeconds = "lamplighter_poll_seconds"
    case pollLateness = "lamplighter_poll_lateness_seconds"

    // The server
    case info = "lamplighter_info"
    case storeSeconds = "lamplighter_store_seconds"
    case storeErrors = "lamplighter_store_errors_total"
    case diskFree = "lamplighter_disk_free_bytes"
    case healthFindings = "lamplighter_health_findings"
    case certificateExpiry = "lamplighter_tls_certificate_expiry_seconds"
    case processorSeconds = "process_cpu_seconds_total"
    case residentMemory = "process_resident_memory_bytes"
    case openFiles = "process_open_fds"
    case mostOpenFiles = "process_max_fds"
    case startTime = "process_start_time_seconds"
    case traceSpansDropped = "lamplighter_trace_spans_dropped_total"

    package var help: String {
        switch self {
        case .procedureCalls: "Calls of procedures from outside the scripts."
        case .procedureSeconds: "Time that calls of procedures took, including waits."
        case .callLimits: "Calls, polls and callbacks that a limit ended."
        case .backEndRequests: "Requests of adapters to their back ends."
        case .backEndSeconds: "Time that requests to back ends took, including waits for a connection."
        case .clientRequests: "Requests of clients and back ends."
        case .guardActions: "Actions of guards: requests refused, sessions ended, services paused."
        case .sessions: "Sessions of clients."
        case .calls: "Calls that have come and not ended."
        case .scopes: "Scopes that sessions and polls own."
        case .machines: "Virtual machines."
        case .endedDeliveries: "Deliveries that this server ended, and attempts that will be retried."
        case .attemptSeconds: "Time that attempts at deliveries took."
        case .deliveries: "Deliveries in the store."
        case .oldestDelivery: "Age of the oldest delivery that has not ended."
        case .credentialExpiry: "Time until a push service's credential expires; negative afterwards."
        case .pollRuns: "Runs of polls that have ended."
        case .pollSeconds: "Time that runs of polls took."
        case .pollLateness: "The longest time that a poll of this server has been due without running."
        case .info: "1, with the server's version, mode and name."
        case .storeSeconds: "Time that transactions of the store took, including waits for locks."
        case .storeErrors: "Transactions of the store that failed."
        case .diskFree: "Free space on the data folder's disk."
        case .healthFindings: "Current findings of the health checks."
        case .certificateExpiry: "Time until the server's TLS certificate expires; negative afterwards."
        case .processorSeconds: "Processor time that the process has used."
        case .residentMemory: "Memory that the process holds."
        case .openFiles: "Open file descriptors."
        case .mostOpenFiles: "The limit on open file descriptors."
        case .startTime: "When the process started, in seconds since 1970."
        case .traceSpansDropped: "Spans of traces that the collector did not accept."
        }
    }

    /// The upper bounds of a histogram's buckets, in seconds; `nil` for the exporter's own.
    package var buckets: [Double]? {
        switch self {
        case .procedureSeconds, .backEndSeconds, .attemptSeconds:
            [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
        case .storeSeconds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
        default: nil
        }
    }
}
