import Foundation

/// Reads values out of one XML file of a project, and reports wrong ones.
struct DocumentReader {
    /// The file, relative to the project's folder.
    let path: String
    let problems: ProblemList

    func error(_ element: XMLElement?, _ message: String) {
        problems.add(ProjectError(.error, file: path, line: element?.line, message))
    }

    func warning(_ element: XMLElement?, _ message: String) {
        problems.add(ProjectError(.warning, file: path, line: element?.line, message))
    }

    func note(_ element: XMLElement?, _ message: String) {
        problems.add(ProjectError(.note, file: path, line: element?.line, message))
    }

    /// Returns the file's root with every `${key}` replaced; `nil`, after reporting why, when it is not XML.
    ///
    /// Keys without a value stay in the elements' ``XMLElement/unresolvedKeys``, since much of a file may not concern the server:
    /// ``reportUnresolved(in:children:)`` reports those of the elements that do.
    func root(of data: Data, expandedBy properties: WorklightProperties) -> XMLElement? {
        let file = FileText(markup: data)
        if let line = file.guessedFromLine {
            problems.add(
                ProjectError(
                    .warning, file: path, line: line,
                    "the file is not in the encoding that it declares (UTF-8 unless it says so) and is read as Windows-1252; "
                        + "save it as UTF-8, or declare its encoding in <?xml … encoding=\"…\"?>"))
        }
        do {
            return properties.expanding(try XMLElement.read(file.text, path: path))
        } catch {
            problems.add(error)
            return nil
        }
    }

    /// Reports the placeholders without a value in an element and in its contents.
    ///
    /// - Parameter children: the names of the children to check; `nil` for all of them. The element itself always counts.
    func reportUnresolved(in element: XMLElement, children: Set<String>? = nil) {
        for key in element.unresolvedKeys {
            let message = WorklightProperties.advice(onUnresolved: key)
            // A key of the build machine occurs in projects that work: it must not make the whole file unusable.
            if WorklightProperties.isLocal(key) { warning(element, message) } else { error(element, message) }
        }
        for child in element.children where children?.contains(child.name) ?? true { reportUnresolved(in: child) }
    }

    /// A number that must be from `minimum` to `maximum`; `nil`, with an error, when it is not.
    func number(
        _ text: String?, _ name: String, of element: XMLElement, from minimum: Double, to maximum: Double = 1e9,
        expected: String
    ) -> Double? {
        guard let text else { return nil }
        guard let number = Double(text), (minimum...maximum).contains(number) else {
            error(element, "\(name) is '\(text)'; expected \(expected)")
            return nil
        }
        return number
    }

    /// A whole number in `range`; the standard value, with an error, when it is not.
    func integer(
        _ text: String?, _ name: String, of element: XMLElement, in range: ClosedRange<Int>, standard: Int
    ) -> Int {
        guard let text else { return standard }
        guard let number = Int(text), range.contains(number) else {
            let bounds =
                range.upperBound == Int.max
                ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
            error(element, "\(name) is '\(text)'; expected a whole number, \(bounds)")
            return standard
        }
        return number
    }

    /// `true` or `false`; the standard value, with an error, when it is neither.
    func flag(_ text: String?, _ name: String, of element: XMLElement, standard: Bool) -> Bool {
        switch text?.lowercased() {
        case nil: return standard
        case "true": return true
        case "false": return false
        default:
            error(element, "\(name) is '\(text ?? "")'; expected true or false")
            return standard
        }
    }

    /// One of the values; the standard value, with an error, when it is none of them.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String?, _ name: String, of element: XMLElement, standard: Choice
    ) -> Choice where Choice.RawValue == String {
        guard let text else { return standard }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        error(element, "\(name) is '\(text)'; expected one of \(known)")
        return standard
    }

    /// Reports unknown attributes and elements: most likely they are misspelt.
    func checkVocabulary(of element: XMLElement, attributes: [String] = [], children: [String] = []) {
        for name in element.attributes.keys.sorted() where !attributes.contains(name) && !name.isNamespaceMatter {
            warning(
                element,
                "the attribute '\(name)' of '\(element.name)' is not known and is ignored"
                    + Suggestion.hint(for: name, among: attributes))
        }
        for child in element.children where !children.contains(child.name) {
            warning(
                child,
                "the element '\(child.name)' in '\(element.name)' is not known and is ignored"
                    + Suggestion.hint(for: child.name, among: children))
        }
    }
}

extension String {
    /// True if an attribute of this name is about namespaces and schemas.
    fileprivate var isNamespaceMatter: Bool {
        self == "xmlns" || hasPrefix("xmlns:") || hasSuffix("schemaLocation") || hasSuffix(":type")
            || hasPrefix("xml:")
    }
}
