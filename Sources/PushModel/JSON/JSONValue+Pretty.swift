extension JSONValue {
    /// The value for people: two blanks for each level, short lists on one line.
    public var prettyText: String {
        var lines = ""
        writePretty(to: &lines, indent: "")
        return lines
    }

    private func writePretty(to lines: inout String, indent: String) {
        let compact = text
        let deeper = indent + "  "
        switch self {
        case .array(let elements) where compact.count > 60:
            lines += "[\n"
            for (index, element) in elements.enumerated() {
                lines += deeper
                element.writePretty(to: &lines, indent: deeper)
                lines += index == elements.count - 1 ? "\n" : ",\n"
            }
            lines += indent + "]"
        case .object(let object) where compact.count > 60:
            lines += "{\n"
            for (index, member) in object.members.enumerated() {
                lines += deeper + JSONValue.string(member.key).text + ": "
                member.value.writePretty(to: &lines, indent: deeper)
                lines += index == object.members.count - 1 ? "\n" : ",\n"
            }
            lines += indent + "}"
        default:
            lines += compact
        }
    }
}
