import AdapterSyntax
import Foundation
import WorklightProject

/// Requests that `invokeHttp` refuses, and those that are mistakes for every back end. ``ArgumentCheck`` reports missing and
/// wrong options.
enum HTTPRequestCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.calls(of: "invokeHttp").flatMap { call in
            guard let options = call.arguments.first else { return [ProjectError]() }
            return reasons(options, script, project).map {
                script.problem(.httpRequest, at: call.range, "invokeHttp: \($0)")
            }
        }
    }

    private static func reasons(_ options: LiteralValue, _ script: ParsedScript, _ project: ParsedProject) -> [String] {
        var reasons: [String] = []
        if let method = options["method"]?.text, ["get", "head"].contains(method.lowercased()),
            case .object? = options["body"]
        {
            reasons.append("'body' is not allowed with \(method.lowercased()), and the call fails; use post or put")
        }
        if let path = options["path"]?.text, path.contains(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//) {
            reasons.append(
                "'path' is the URL '\(path)', and the whole of it is sent as a path; write only the path, and protocol and domain "
                    + "in \(script.descriptor.path)")
        }
        if case .object(let headers)? = options["headers"] {
            reasons += headers.filter { $0.value == .null }.map {
                "the header '\($0.key)' is null, and the back end gets the string 'null'; leave it out"
            }
        }
        return reasons + stylesheet(options["transformation"], script, project)
    }

    private static func stylesheet(
        _ transformation: LiteralValue?, _ script: ParsedScript, _ project: ParsedProject
    ) -> [String] {
        guard let transformation, let type = transformation["type"]?.text else { return [] }
        guard type == "xslFile" else {
            return transformation["xslFile"]?.text?.isEmpty ?? true
                ? []
                : [
                    "'transformation.type' is '\(type)', so 'xslFile' is ignored; write type: 'xslFile' to apply the stylesheet"
                ]
        }
        guard let file = transformation["xslFile"]?.text else {
            return transformation.isWholeObject && transformation["xslFile"] == nil
                ? ["'transformation.xslFile' is missing; name a stylesheet in the adapter's folder"] : []
        }
        let folder = project.project.folder.appending(path: "adapters/\(script.descriptor.name)")
        guard !FileManager.default.fileExists(atPath: folder.appending(path: file).path) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return [
            "there is no stylesheet adapters/\(script.descriptor.name)/\(file), so the call fails"
                + Suggestion.text(for: file, among: names.filter { $0.hasSuffix(".xsl") || $0.hasSuffix(".xslt") })
        ]
    }
}
