package import Foundation
import Push
import WorklightProject
import Yams

/// Wrong settings: the location of each, and the expected value.
package struct SettingsError: Error, CustomStringConvertible {
    /// One message for each setting.
    package let problems: [String]

    /// The messages, a line each.
    package var description: String { problems.joined(separator: "\n") }

    package init(description: String) {
        problems = [description]
    }

    init(problems: [String]) {
        self.problems = problems
    }
}

extension Setting {
    /// Returns a value in the form for messages, without secrets.
    fileprivate func shown(_ text: String) -> String {
        guard !isSecret, !text.contains("PRIVATE KEY") else { return "…" }
        return text.replacing(/:\/\/[^\/]*@/, with: "://…@").replacing(/\?.*/, with: "?…")
    }
}

extension Settings {
    /// Reads the settings of a project: its `lamplighter.yaml`, if there is one, overridden by the environment.
    ///
    /// Uses Yams directly, since swift-configuration neither reports the line of a bad value nor finds misspelt keys.
    ///
    /// - Throws: ``SettingsError`` with all that is wrong.
    package static func read(project: URL, environment: [String: String]) throws -> Settings {
        var settings = Settings(project: project, environment: environment)
        let files = files(in: project)
        guard files.count < 2 else {
            throw SettingsError(
                description:
                    "\(project.path) has both lamplighter.yaml and lamplighter.yml: expected one of them; remove the other"
            )
        }
        if let file = files.first { try settings.apply(file: file) }
        var problems = settings.problems
        for setting in Setting.all {
            guard let text = environment[setting.environmentVariable],
                !LinkedService.isSet(setting.environmentVariable, to: text)
            else { continue }
            guard setting.apply(&settings, text) else {
                problems.append(
                    "\(setting.environmentVariable)=\(setting.shown(text)): expected \(setting.expected)")
                continue
            }
            settings.note(
                setting.key, text, isSecret: setting.isSecret, expected: setting.expected,
                source: setting.environmentVariable)
        }
        let known = Set(Setting.all.map(\.environmentVariable))
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("LAMPLIGHTER_") && !name.hasPrefix("LAMPLIGHTER_PROPERTY_") {
            if LinkedService.isSet(name, to: text) {
                settings.ignoredVariables.append(name)
            } else if let removed = Setting.removed.first(where: { Setting.environmentVariable(of: $0.key) == name }) {
                problems.append("\(name) \(removed.advice)")
            } else if !known.contains(name) {
                problems.append(
                    "\(name): there is no such setting"
                        + (Suggestion.nearest(to: name, among: known).map { "; is '\($0)' meant?" }
                            ?? "; unset the variable, or use one of those in docs/settings.md"))
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
        return settings
    }

    /// Returns the files of a folder that have the name of a settings file.
    package static func files(in folder: URL) -> [URL] {
        ["lamplighter.yaml", "lamplighter.yml"].map { folder.appending(path: $0) }.filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    private mutating func apply(file: URL) throws {
        let name = file.lastPathComponent
        guard let data = try? Data(contentsOf: file) else {
            throw SettingsError(
                description:
                    "\(file.path) cannot be read by the user '\(NSUserName())'; let the server's user own it (chown), with mode 600"
            )
        }
        let text = FileText(plain: data).text
        if let conflict = ProjectError.mergeConflict(in: text, file: name) {
            throw SettingsError(description: "\(conflict.place): \(conflict.message)")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw SettingsError(description: Self.describe(error, in: name))
        }
        guard let root, root.null == nil else { return }
        apply(root, key: "", file: name)
    }

    private static func describe(_ error: YamlError, in file: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(file):\(mark.line): not well-formed YAML: \(problem)"
        case .duplicatedKeysInMapping(let keys, _):
            "\(file): not well-formed YAML: these keys occur more than once: \(keys.joined(separator: ", "))"
        default: "\(file): not well-formed YAML: \(error)"
        }
    }

    private mutating func apply(_ node: Node, key: String, file: String) {
        let place = "\(file):\(node.mark?.line ?? 1)"
        if key == "applications", let mapping = node.mapping {
            for (name, value) in mapping {
                apply(value, key: "", application: name.string ?? "", file: file)
            }
            return
        }
        if let mapping = node.mapping, key.isEmpty || Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
            for (name, value) in mapping {
                apply(value, key: key.isEmpty ? name.string ?? "" : "\(key).\(name.string ?? "")", file: file)
            }
            return
        }
        if let removed = Setting.removed.first(where: { $0.key == key }) {
            return problems.append("\(place): \(key) \(removed.advice)")
        }
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            return problems.append(
                "\(place): there is no setting '\(key)'"
                    + (Suggestion.nearest(to: key, among: Setting.all.map(\.key)).map { "; is '\($0)' meant?" }
                        ?? "; docs/settings.md lists all settings"))
        }
        let text: String?
        do throws(SettingsError) {
            text = try self.text(of: node, key: key, place: place, isList: setting.isList)
        } catch {
            return problems += error.problems
        }
        guard let text, setting.apply(&self, text) else {
            let found = node.scalar.map { "'\(setting.shown($0.string))'" } ?? "something else"
            return problems.append("\(place): \(key) is \(found); expected \(setting.expected)")
        }
        note(key, text, isSecret: setting.isSecret, expected: setting.expected, source: place)
    }

    /// Reads the settings under `applications` and an application's id.
    private mutating func apply(_ node: Node, key: String, application: String, file: String) {
        let place = "\(file):\(node.mark?.line ?? 1)"
        let whole = "applications.\(application).\(key)"
        if let mapping = node.mapping, key.isEmpty || PushSetting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
            for (name, value) in mapping {
                let name = name.string ?? ""
                apply(value, key: key.isEmpty ? name : "\(key).\(name)", application: application, file: file)
            }
            return
        }
        guard let setting = PushSetting.all.first(where: { $0.key == key }) else {
            return problems.append(
                "\(place): there is no setting '\(whole)'"
                    + (Suggestion.nearest(to: key, among: PushSetting.all.map(\.key)).map {
                        "; is 'applications.\(application).\($0)' meant?"
                    } ?? "; an application has: " + PushSetting.all.map(\.key).joined(separator: ", ")))
        }
        let text: String?
        do throws(SettingsError) {
            text = try self.text(of: node, key: whole, place: place)
        } catch {
            return problems += error.problems
        }
        guard let text,
            setting.apply(&installation.push.applications[application, default: PushCredentialSettings()], text)
        else {
            let found = setting.isSecret ? "not that" : "'\(node.scalar?.string ?? "something else")'"
            return problems.append("\(place): \(whole) is \(found); expected \(setting.expected)")
        }
        note(whole, text, isSecret: setting.isSecret, expected: setting.expected, source: place)
    }

    /// Returns a scalar's value. `${NAME}` is replaced by an environment variable, and `${file:PATH}` by the contents of a file, so that
    /// `lamplighter.yaml` need not hold secrets.
    ///
    /// - Parameter isList: whether a list of scalars is read as its values separated by commas.
    /// - Returns: nil for a mapping, and for another list.
    /// - Throws: ``SettingsError`` when the variable is not set, or the file cannot be read.
    private func text(
        of node: Node, key: String, place: String, isList: Bool = false
    ) throws(SettingsError) -> String? {
        if isList, let items = node.sequence {
            let texts = try items.map { node throws(SettingsError) in try self.text(of: node, key: key, place: place) }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ", ")
        }
        guard let text = node.scalar?.string else { return nil }
        if let path = text.wholeMatch(of: /\$\{file:([^}]+)\}/)?.1 {
            let url = URL(fileURLWithPath: String(path), relativeTo: installation.project)
            guard let data = try? Data(contentsOf: url) else {
                throw SettingsError(
                    description:
                        "\(place): \(key) is the file \(path), which cannot be read; the path is relative to the project's folder"
                )
            }
            return FileText(plain: data).text.trimmingCharacters(in: .newlines)
        }
        guard let name = text.wholeMatch(of: /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/)?.1 else { return text }
        guard let value = environment[String(name)] else {
            throw SettingsError(description: "\(place): \(key) is the environment variable \(name), which is not set")
        }
        return value
    }
}

/// The environment variables that Kubernetes and Docker set in each container for a service whose name begins with 'lamplighter'.
enum LinkedService {
    /// Returns whether a variable is one of these, such as `LAMPLIGHTER_PORT=tcp://10.0.0.7:10080`.
    static func isSet(_ name: String, to value: String) -> Bool {
        let isService =
            name.wholeMatch(
                of:
                    /LAMPLIGHTER_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)/
            ) != nil
        // LAMPLIGHTER_PORT and LAMPLIGHTER_CONSOLE_PORT are settings as well: an address is not a port number.
        let isAddress = value.wholeMatch(of: /(tcp|udp|sctp):\/\/.*/) != nil
        // Docker's links.
        let isLink = name.hasPrefix("LAMPLIGHTER_ENV_") || (name == "LAMPLIGHTER_NAME" && value.hasPrefix("/"))
        return isService || isLink || (isAddress && name.wholeMatch(of: /LAMPLIGHTER_([A-Z0-9_]+_)?PORT/) != nil)
    }
}
