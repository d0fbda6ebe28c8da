import NIOHTTP1

extension BackEndHead {
    init(_ answer: BackEndTransfer.Answer, responseTime: Int) {
        var headers: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for (name, value) in answer.headers {
            let key = name.lowercased()
            if let place = places[key] {
                headers[place].values.append(value)
            } else {
                places[key] = headers.count
                headers.append((name, [value]))
            }
        }
        self.init(
            statusCode: answer.status, statusReason: answer.reason,
            headers: headers.map { name, values in
                (name, name.lowercased() == "set-cookie" ? values : [values.joined(separator: ", ")])
            }, responseTime: responseTime)
    }
}
