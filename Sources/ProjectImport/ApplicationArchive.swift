import Foundation
import WorklightProject

/// A `.wlapp` file: one environment of an application in one version, or the part that its environments share.
struct ApplicationArchive {
    let archive: ZipArchive
    let data: DeploymentData

    private static let dataPath = "meta/deployment.data"

    /// - Throws: ``ImportError`` when the archive has no `meta/deployment.data`, or an unreadable one.
    init(_ archive: ZipArchive) throws(ImportError) {
        self.archive = archive
        guard let entry = archive[Self.dataPath], let bytes = try? Data(contentsOf: entry.file) else {
            throw ImportError(
                archive.name,
                "there is no \(Self.dataPath) in it; expected a .wlapp file of Worklight Studio, or one that holds several"
            )
        }
        data = try DeploymentData(reading: FileText(plain: bytes).text, of: archive.name)
    }

    /// The entries that are `.wlapp` files themselves, as in `APP-all.wlapp`; `nil` if it is not such an archive.
    static func parts(of archive: ZipArchive) -> [ZipArchive.Entry]? {
        let parts = archive.entries.filter { $0.path.lowercased().hasSuffix(".wlapp") }
        return archive[dataPath] == nil && !parts.isEmpty ? parts : nil
    }

    /// Plans the files of all archives: a descriptor for each application, its built resources, and its push credentials.
    static func plan(_ archives: [ApplicationArchive], in plan: inout ImportPlan, _ settings: inout ImportedSettings)
        throws(ImportError)
    {
        let archives = try withoutRepetitions(archives, in: &plan)
        let byApplication = Dictionary(grouping: archives, by: \.data.application)
        for (application, archives) in byApplication.sorted(by: { $0.key < $1.key }) {
            let latest = Dictionary(grouping: archives) { $0.data.environment ?? "" }.mapValues { versions in
                versions.reduce(versions[0]) { $0.data.isOlder(than: $1.data) ? $1 : $0 }
            }
            for archive in archives {
                let isLatest = latest[archive.data.environment ?? ""]?.archive.name == archive.archive.name
                try archive.planResources(isLatest: isLatest, in: &plan)
            }
            let environments = latest.values.filter { $0.data.environment != nil }.sorted {
                ($0.data.environment ?? "") < ($1.data.environment ?? "")
            }
            for archive in environments { try archive.planCertificates(in: &plan, &settings) }
            let common = latest[""]?.data ?? environments.first?.data
            guard let common else { continue }
            let hybrid = environments.map(\.data).filter { !$0.isNative }
            var folder = application
            if !hybrid.isEmpty || environments.isEmpty {
                let text = ApplicationDescriptorText.hybrid(application, common, hybrid)
                try plan.add(
                    .text(text), of: archives[0].archive.name, dataPath, to: "apps/\(folder)/application-descriptor.xml"
                )
                folder += "-native"
            }
            for data in environments.map(\.data) where data.isNative {
                let text = ApplicationDescriptorText.native(application, data)
                try plan.add(
                    .text(text), of: archives[0].archive.name, dataPath, to: "apps/\(folder)/application-descriptor.xml"
                )
                folder = "\(application)-\(data.environment ?? "")"
            }
        }
    }

    /// Leaves out archives that were passed twice, as in `APP-all.wlapp` and beside it.
    ///
    /// - Throws: ``ImportError`` when two archives have the same version of an environment with different contents.
    private static func withoutRepetitions(_ archives: [ApplicationArchive], in plan: inout ImportPlan)
        throws(ImportError)
        -> [ApplicationArchive]
    {
        var kept: [ApplicationArchive] = []
        for archive in archives {
            let data = archive.data
            let known = kept.first {
                $0.data.application == data.application && $0.data.environment == data.environment
                    && $0.data.version == data.version
            }
            guard let known else {
                kept.append(archive)
                continue
            }
            guard known.archive.hasSameContents(as: archive.archive) else {
                throw ImportError(
                    archive.archive.name,
                    "\(known.archive.name) has the same version of \(data.application) for \(data.environment ?? "all environments") with other contents; leave one of the two files out"
                )
            }
            plan.leaveOut("", of: archive.archive.name, because: "it is the same as \(known.archive.name)")
        }
        return kept
    }

    private func planResources(isLatest: Bool, in plan: inout ImportPlan) throws(ImportError) {
        let environment = data.environment ?? "common"
        let base = "apps/\(data.application)"
        let target = isLatest ? "\(base)/\(environment)" : "\(base)/versions/\(environment)/\(data.version)"
        for folder in ["www/", "preview/"] {
            let entries = archive.entries.filter { $0.path.hasPrefix(folder) }
            try plan.add(entries, of: archive.name, below: folder, to: target + "/" + folder.dropLast())
        }
        let others = archive.entries.filter { entry in
            !["www/", "preview/"].contains(where: entry.path.hasPrefix) && entry.path != Self.dataPath
                && certificate(entry) == nil
        }
        for entry in others { plan.leaveOut(entry.path, of: archive.name, because: "no server needs it") }
    }

    // MARK: Push

    private static let certificates = ["production", "sandbox"]

    /// The service of one of Apple's certificates; `nil` for another entry.
    private func certificate(_ entry: ZipArchive.Entry) -> String? {
        Self.certificates.first { entry.path == "meta/apns-certificate-\($0).p12" }
    }

    private func planCertificates(in plan: inout ImportPlan, _ settings: inout ImportedSettings) throws(ImportError) {
        if data["app.push.android.sender.key"] != nil {
            plan.leaveOut(
                "app.push.android.sender.key in \(Self.dataPath)", of: archive.name,
                because: "Google has shut down GCM; set applications.\(data.application).fcm.serviceAccount")
        }
        let found = Self.certificates.compactMap { service in
            archive["meta/apns-certificate-\(service).p12"].map { (service, $0) }
        }
        guard !found.isEmpty else { return }
        let base = "\(ImportedSettings.secrets)/\(data.application)-\(data.environment ?? "")-apns"
        let password = data["app.push.ios.sender.password"]
        if let password {
            try plan.add(
                .text(password), of: archive.name, "app.push.ios.sender.password in \(Self.dataPath)",
                to: base + ".password", isSecret: true)
        }
        for (service, entry) in found {
            let path = "\(base)-\(service).p12"
            try plan.add(.file(entry.file), of: archive.name, entry.path, to: path, isSecret: true)
            if let other = settings.add(
                certificate: path, password: password == nil ? nil : base + ".password", service: service,
                of: data.application, from: archive.name)
            {
                plan.remarks.append(
                    "\(path) is not used: lamplighter.yaml names \(other) for the application '\(data.application)'")
            }
        }
    }
}

/// The settings that an import writes.
struct ImportedSettings {
    /// The folder of push credentials, relative to the project's.
    static let secrets = ".lamplighter/secrets"

    /// The path prefix of all client endpoints; `nil` for none.
    private(set) var contextRoot: String?

    private var certificates: [String: (certificate: String, password: String?, service: String)] = [:]

    /// The given file from which the first of them comes.
    private(set) var source = ""

    mutating func setContextRoot(_ path: String, from source: String) {
        contextRoot = path
        if self.source.isEmpty { self.source = source }
    }

    /// - Returns: the certificate that the application has already.
    mutating func add(
        certificate: String, password: String?, service: String, of application: String, from source: String
    ) -> String? {
        if let known = certificates[application] { return known.certificate }
        if self.source.isEmpty { self.source = source }
        certificates[application] = (certificate, password, service)
        return nil
    }

    /// The contents of `lamplighter.yaml`; `nil` without settings.
    var text: String? {
        guard !certificates.isEmpty || contextRoot != nil else { return nil }
        var lines = ["# Written by lamplighter import. docs/settings.md lists all settings."]
        if let contextRoot { lines.append("contextRoot: \(contextRoot)") }
        if !certificates.isEmpty {
            // With credentials a server sends in every mode, and a trial must reach no phone.
            lines += [
                "# Remove the # of these lines when this server shall send to the phones of the old server's users.",
                "# applications:",
            ]
        }
        for (application, push) in certificates.sorted(by: { $0.key < $1.key }) {
            lines += ["#   \(application):", "#     apns:", "#       certificate: \(push.certificate)"]
            if let password = push.password { lines.append("#       password: ${file:\(password)}") }
            lines.append("#       environment: \(push.service)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
