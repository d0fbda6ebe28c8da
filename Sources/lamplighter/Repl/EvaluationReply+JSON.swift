import AdapterRuntime
import Foundation

extension EvaluationReply {
    /// - Throws: `DecodingError`.
    init(json: String) throws {
        self = try JSONDecoder().decode(EvaluationReply.self, from: Data(json.utf8))
    }
}
