import Core
import Foundation
import NIOHTTP1

@testable import Installation

extension RunningServer {
    /// The report of `/health` with its findings.
    func health() async throws -> (status: Int, state: String?, findings: [JSONValue]) {
        let answer = try await send(.GET, "/health", key: note.managementKey)
        let json = try JSONValue(parsing: answer.body)
        return (answer.status, json["status"]?.string, json["findings"]?.array ?? [])
    }

    /// The first finding of a check, once there is one.
    func finding(of check: String) async throws -> JSONValue {
        while true {
            if let finding = try await health().findings.first(where: { $0["subject"]?.string == check }) {
                return finding
            }
        }
    }

    /// Returns once a check has no findings.
    func waitForEnd(of check: String) async throws {
        while try await health().findings.contains(where: { $0["subject"]?.string == check }) {}
    }
}
