package import Foundation
package import WorklightProject

/// The report on the APNs credential files in a project and their use.
package struct CredentialReport {
    private let project: Project
    private let push: PushSettings
    private let settings: PushServiceSettings
    private let now: Date
    package private(set) var problems: [ProjectError] = []
    /// The paths that have been reported.
    private var told: Set<String> = []

    package init(project: Project, push: PushSettings, isProduction: Bool, now: Date) {
        self.project = project
        self.push = push
        self.now = now
        settings = PushServiceSettings(
            of: project, push, apnsEnvironment: isProduction ? .production : .sandbox)
        addSettings()
        addApplications()
        addOthers()
    }

    /// The files that `lamplighter.yaml` names.
    private mutating func addSettings() {
        add(push.credentials.apns, topic: push.credentials.apns.topic, settings.apnsEnvironment)
        for (id, own) in push.applications.sorted(by: { $0.key < $1.key }) {
            add(own.apns, topic: settings.apnsTopic(of: id), settings.apnsEnvironment(of: id))
        }
    }

    /// The certificates that lie beside the applications' descriptors.
    private mutating func addApplications() {
        for application in project.applications {
            let topic = settings.applications[application.id]?.apnsTopic
            for environment in application.environments {
                for file in environment.certificates where !told.contains(path(file.path)) {
                    guard let password = environment.pushSender?.password else { continue }
                    add(
                        certificate: file.path, password: password, topic: topic, file.kind.environment,
                        application: application.id, isTold: false)
                }
            }
        }
    }

    /// The files that nothing names, which are often there by mistake.
    private mutating func addOthers() {
        let found = FileManager.default.enumerator(
            at: project.folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        var files: [String] = []
        while let url = found?.nextObject() as? URL {
            if url.lastPathComponent == "node_modules" { found?.skipDescendants() }
            if ["p12", "p8"].contains(url.pathExtension.lowercased()) { files.append(url.standardizedFileURL.path) }
        }
        for file in files.sorted() where told.insert(file).inserted {
            if file.lowercased().hasSuffix(".p8") { addUnusedKey(file) } else { addUnusedCertificate(file) }
        }
    }

    private mutating func add(
        _ given: PushCredentialSettings.APNs, topic: String?, _ environment: PushServiceSettings.APNsEnvironment
    ) {
        if let file = given.certificate {
            add(
                certificate: file, password: given.password ?? "", topic: topic, environment, application: nil,
                isTold: true)
        }
        guard let file = given.key, !file.contains("-----BEGIN"), told.insert(path(file)).inserted,
            let key = try? APNsTokenKey(key: path(file), keyID: given.keyID, teamID: given.teamID ?? "")
        else { return }
        note(file, "\(key), for all apps of the team, \(environment.rawValue); this key does not expire")
    }

    /// - Parameters:
    ///   - topic: the bundle id that it should be for, where that is known.
    ///   - application: whose descriptor it lies beside.
    ///   - isTold: whether others say what is wrong with it.
    private mutating func add(
        certificate file: String, password: String, topic: String?, _ environment: PushServiceSettings.APNsEnvironment,
        application: String?, isTold: Bool
    ) {
        told.insert(path(file))
        do throws(CredentialError) {
            let certificate = try APNsCertificate(
                p12File: path(file), password: password, topic: topic, environment: environment, now: now)
            add(certificate, file)
            if let topic, certificate.topic != topic {
                warn(
                    file,
                    "the certificate is for \(certificate.topic), and the app is \(topic); use the app's own certificate"
                )
            }
            if !certificate.environments.contains(environment), application != nil {
                warn(
                    file,
                    "the certificate is not for APNs' \(environment.rawValue) service, as the file's name says; use the other one"
                )
            }
        } catch {
            if !isTold { warn(file, error.text) }
        }
    }

    private mutating func add(_ certificate: APNsCertificate, _ file: String) {
        let services = certificate.environments.map(\.rawValue).sorted().joined(separator: " and ")
        let day = certificate.notAfter.ISO8601Format(.iso8601.year().month().day())
        let text = "\(certificate), \(services), ends on \(day), in \(certificate.daysLeft(at: now)) days"
        if certificate.isEndNear(at: now) {
            warn(file, "\(text); make a new one on Apple's developer site")
        } else {
            note(file, text)
        }
    }

    private mutating func addUnusedKey(_ file: String) {
        // A value that the file does not contain can be anything here.
        let anyID = "AAAAAAAAAA"
        let named = try? APNsTokenKey(key: file, keyID: nil, teamID: anyID)
        guard let key = named ?? (try? APNsTokenKey(key: file, keyID: anyID, teamID: anyID)) else {
            return warn(file, "expected a P-256 key in PEM form, as Apple's .p8 files have it, found something else")
        }
        let name = named == nil ? "APNs key" : "APNs key \(key.keyID)"
        note(file, "\(name), which no setting names; set push.apns.key to use it")
    }

    private mutating func addUnusedCertificate(_ file: String) {
        do throws(CredentialError) {
            add(try APNsCertificate(p12File: file, password: "", now: now), file)
        } catch {
            if error.field == "password" {
                note(file, "not opened, since its password is not known; nothing uses this file")
            } else {
                note(file, "nothing uses this file: \(error.text)")
            }
        }
    }

    private func path(_ file: String) -> String {
        URL(filePath: project.folder.path(ofFile: file)).standardizedFileURL.path
    }

    private mutating func note(_ file: String, _ message: String) {
        problems.append(ProjectError(.note, file: relative(file), message))
    }

    private mutating func warn(_ file: String, _ message: String) {
        problems.append(ProjectError(.warning, file: relative(file), message))
    }

    /// The path from the project's folder on, of a file in it.
    private func relative(_ file: String) -> String {
        let (folder, path) = (project.folder.standardizedFileURL.path + "/", path(file))
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}

extension CredentialError {
    /// Without the file, which the report names elsewhere.
    fileprivate var text: String { (field.map { "\($0): " } ?? "") + problem }
}
