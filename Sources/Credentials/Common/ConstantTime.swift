/// Comparisons that take as long for a wrong guess as for an almost right one.
enum ConstantTime {
    /// Whether two texts have the same bytes. The time depends on the length of `given` only, which is known
    /// to who gave it.
    static func areEqual(_ given: some Collection<UInt8>, _ stored: [UInt8]) -> Bool {
        let count = stored.count
        var difference = given.count ^ count
        for (index, byte) in given.enumerated() {
            difference |= Int(byte ^ (count == 0 ? 0 : stored[index % count]))
        }
        return difference == 0
    }
}
