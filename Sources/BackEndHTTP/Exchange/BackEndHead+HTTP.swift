import NIOHTTP1

extension BackEndHead {
    init(_ head: HTTPResponseHead, responseTime: Int) {
        var joined: [(name: String, value: String)] = []
        var places: [String: Int] = [:]
        for (name, value) in head.headers {
            let key = name.lowercased()
            if let place = places[key] {
                joined[place].value += (key == "set-cookie" ? "\n" : ", ") + value
            } else {
                places[key] = joined.count
                joined.append((name, value))
            }
        }
        self.init(
            statusCode: Int(head.status.code), statusReason: head.status.reasonPhrase, headers: joined,
            responseTime: responseTime)
    }
}
