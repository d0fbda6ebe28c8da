extension JSONValue {
    /// The value in a readable form: two blanks for each level, short lists on one line.
    public var prettyText: String { prettyText(indentation: 2, shortest: 60) }

    /// The value on several lines.
    ///
    /// - Parameters:
    ///   - indentation: how many blanks each level has.
    ///   - shortest: lists and objects up to this length stay on one line.
    public func prettyText(indentation: Int, shortest: Int) -> String {
        var lines = ""
        let step = String(repeating: " ", count: indentation)
        writePretty(to: &lines, indent: "", step: step, shortest: shortest)
        return lines
    }

    private func writePretty(to lines: inout String, indent: String, step: String, shortest: Int) {
        let compact = text
        let deeper = indent + step
        switch self {
        case .array(let elements) where compact.count > shortest:
            lines += "[\n"
            for (index, element) in elements.enumerated() {
                lines += deeper
                element.writePretty(to: &lines, indent: deeper, step: step, shortest: shortest)
                lines += index == elements.count - 1 ? "\n" : ",\n"
            }
            lines += indent + "]"
        case .object(let object) where compact.count > shortest:
            lines += "{\n"
            for (index, member) in object.members.enumerated() {
                lines += deeper + JSONValue.string(member.key).text + ": "
                member.value.writePretty(to: &lines, indent: deeper, step: step, shortest: shortest)
                lines += index == object.members.count - 1 ? "\n" : ",\n"
            }
            lines += indent + "}"
        default:
            lines += compact
        }
    }
}
