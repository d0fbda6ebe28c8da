import Foundation
import Gateway
import WorklightProject
import Yams

/// A setting that cannot be used: where it stands, what was expected.
struct SettingsError: Error, CustomStringConvertible {
    let description: String
}

extension Setting {
    /// A text for messages.
    fileprivate func shown(_ text: String) -> String { isSecret ? "…" : text }
}

extension Settings {
    /// The settings of a project: its `lamplighter.yaml` where there is one, and over it the environment.
    ///
    /// Yams is asked itself, since swift-configuration neither tells the line of a bad value nor notices a key that is
    /// misspelt.
    ///
    /// - Throws: ``SettingsError``.
    static func read(project: URL, environment: [String: String]) throws -> Settings {
        var settings = Settings(project: project, environment: environment)
        let files = ProjectFolder.settingsFiles(in: project)
        guard files.count < 2 else {
            throw SettingsError(
                description:
                    "\(project.path) has both lamplighter.yaml and lamplighter.yml: expected one of them; remove the other"
            )
        }
        if let file = files.first { try settings.apply(file: file) }
        for setting in Setting.all {
            guard let text = environment[setting.environmentVariable],
                !LinkedService.isSet(setting.environmentVariable, to: text)
            else { continue }
            guard setting.apply(&settings, text) else {
                throw SettingsError(
                    description: "\(setting.environmentVariable)=\(setting.shown(text)): expected \(setting.expected)")
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
            } else if !known.contains(name) {
                throw SettingsError(
                    description: "\(name): there is no such setting"
                        + (known.nearest(to: name).map { "; is '\($0)' meant?" }
                            ?? "; unset the variable, or use one of those in docs/settings.md"))
            }
        }
        return settings
    }

    private mutating func apply(file: URL) throws {
        let name = file.lastPathComponent
        let root: Node?
        do {
            root = try Yams.compose(yaml: FileText(plain: Data(contentsOf: file)).text)
        } catch let error as YamlError {
            throw SettingsError(description: "\(name): not well-formed YAML: \(error)")
        }
        guard let root, root.null == nil else { return }
        try apply(root, key: "", file: name)
    }

    private mutating func apply(_ node: Node, key: String, file: String) throws {
        let place = "\(file):\(node.mark?.line ?? 1)"
        if key == "applications", let mapping = node.mapping {
            for (name, value) in mapping {
                try apply(value, key: "", application: name.string ?? "", file: file)
            }
            return
        }
        if let mapping = node.mapping, key.isEmpty || Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
            for (name, value) in mapping {
                try apply(value, key: key.isEmpty ? name.string ?? "" : "\(key).\(name.string ?? "")", file: file)
            }
            return
        }
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            throw SettingsError(
                description: "\(place): there is no setting '\(key)'; there are: "
                    + Setting.all.map(\.key).joined(separator: ", "))
        }
        guard let text = try text(of: node, key: key, place: place, isList: setting.isList), setting.apply(&self, text)
        else {
            let found = node.scalar.map { "'\(setting.shown($0.string))'" } ?? "something else"
            throw SettingsError(description: "\(place): \(key) is \(found); expected \(setting.expected)")
        }
        note(key, text, isSecret: setting.isSecret, expected: setting.expected, source: place)
    }

    /// What stands under `applications` and an application's id.
    private mutating func apply(_ node: Node, key: String, application: String, file: String) throws {
        let place = "\(file):\(node.mark?.line ?? 1)"
        let whole = "applications.\(application).\(key)"
        if let mapping = node.mapping, key.isEmpty || PushSetting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
            for (name, value) in mapping {
                let name = name.string ?? ""
                try apply(value, key: key.isEmpty ? name : "\(key).\(name)", application: application, file: file)
            }
            return
        }
        guard let setting = PushSetting.all.first(where: { $0.key == key }) else {
            throw SettingsError(
                description: "\(place): there is no setting '\(whole)'; an application has: "
                    + PushSetting.all.map(\.key).joined(separator: ", "))
        }
        guard let text = try text(of: node, key: whole, place: place),
            setting.apply(&installation.push.applications[application, default: PushCredentialSettings()], text)
        else {
            let found = setting.isSecret ? "not that" : "'\(node.scalar?.string ?? "something else")'"
            throw SettingsError(description: "\(place): \(whole) is \(found); expected \(setting.expected)")
        }
        note(whole, text, isSecret: setting.isSecret, expected: setting.expected, source: place)
    }

    /// A scalar's text. `${NAME}` stands for an environment variable, so that a file need hold no secret.
    ///
    /// - Parameter isList: whether a list of scalars stands for its values separated by commas.
    /// - Returns: nil for a mapping, and for another list.
    /// - Throws: ``SettingsError`` when there is no such variable.
    private func text(of node: Node, key: String, place: String, isList: Bool = false) throws -> String? {
        if isList, let items = node.sequence {
            let texts = try items.map { try self.text(of: $0, key: key, place: place) }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ", ")
        }
        guard let text = node.scalar?.string else { return nil }
        guard let name = text.wholeMatch(of: /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/)?.1 else { return text }
        guard let value = environment[String(name)] else {
            throw SettingsError(description: "\(place): \(key) is the environment variable \(name), which is not set")
        }
        return value
    }
}
