import AdapterRuntime
import Authentication
import HTTPServer
import HTTPTypes

/// An adapter may be redeployed between the check of a caller and the run of its script. A caller that has passed one
/// security test has not passed another: then the check is repeated.
extension ClientProtocolHandler {
    /// More often than this within one request nobody deploys.
    private static let attempts = 10

    /// Looks at a caller and calls, again for as long as the adapter changes in between.
    func retryWithCurrentPermit(_ body: () async throws(StalePermitError) -> Response) async -> Response {
        for _ in 0..<Self.attempts {
            do throws(StalePermitError) {
                return try await body()
            } catch {
                continue
            }
        }
        return ClientProtocolResponse.failure(.unexpected, "\(StalePermitError())", status: .serviceUnavailable)
    }

    /// The test that guards a procedure at the moment, as what a caller has to bring along who passes it.
    func permit(forProcedure procedure: String, adapter: String) -> CallPermit {
        .passed(securityTest: installation.runtime.securityTest(ofProcedure: procedure, adapter: adapter))
    }

    /// What a caller must prove for that.
    func requirements(for permit: CallPermit) -> SecurityRequirements {
        switch permit {
        case .unconditional: SecurityRequirements()
        case .passed(let test): security.policy.requirements(ofTest: test)
        }
    }
}
