import NIOHTTP1

extension BackEndHead {
    init(_ head: AnswerHead, responseTime: Int) {
        var headers: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for (name, value) in head.headers {
            let key = name.lowercased()
            if let place = places[key] {
                headers[place].values.append(value)
            } else {
                places[key] = headers.count
                headers.append((name, [value]))
            }
        }
        self.init(
            statusCode: head.status, statusReason: head.reason,
            headers: headers.map { name, values in
                (name, name.lowercased() == "set-cookie" ? values : [values.joined(separator: ", ")])
            }, responseTime: responseTime)
    }
}
