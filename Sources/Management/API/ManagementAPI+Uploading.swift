import Core
import Foundation
import Installation
import Logging
import Synchronization

/// Adapters that come in an archive.
extension ManagementAPI {
    /// The largest size of an adapter's files, in bytes.
    private static let largestAdapter = 32 << 20
    private static let mostFiles = 2000

    /// Replaces an adapter's folder in the project by the files of an archive and deploys it. If it cannot be deployed, the former
    /// files are put back.
    ///
    /// - Throws: ``ManagementError``.
    func upload(_ archive: [UInt8], adapter name: String) async throws -> DeploymentReport {
        guard name.count <= 100, name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            throw ManagementError(
                .badRequest, "expected the adapter's name: a letter, then letters, digits and _", field: "adapter")
        }
        guard state.isUploading.exchange(true, ordering: .acquiringAndReleasing) == false else {
            throw ManagementError(.conflict, "another adapter is being uploaded; try again")
        }
        defer { state.isUploading.store(false, ordering: .releasing) }
        let swap = FolderReplacement(
            target: installation.settings.project.appending(path: "adapters/\(name)"),
            workspace: installation.settings.dataFolder.appending(path: "upload-\(UUID().uuidString)"))
        try await runBlocking { [logger = installation.logger] in
            let files = try Self.files(of: archive)
            do {
                try swap.install(files)
            } catch {
                swap.undo()
                logger.error("the files of \(name) cannot be written to \(swap.target.path): \(error)")
                throw ManagementError(
                    .unavailable, "the files cannot be written to the project's folder; the server's log says why")
            }
        }
        let report = await installation.deployments.deploy(name)
        try? await runBlocking { report.isSuccessful ? swap.finish() : swap.undo() }
        return report
    }

    /// Returns the name of the adapter in an archive, for the command line.
    ///
    /// - Parameter file: the archive's path, for errors.
    /// - Throws: ``ManagementError`` when the archive is damaged, or has no adapter.
    package static func adapterName(in archive: [UInt8], file: String) throws -> String {
        do {
            if let name = try adapterName(ofArchive: archive) { return name }
        } catch {
            throw ManagementError(.badRequest, "\(error)", field: file)
        }
        throw ManagementError(
            .badRequest, "there is no adapter in it; expected NAME.xml beside NAME-impl.js", field: file)
    }

    /// The name of the adapter in an archive: that of the only XML file at its top, or in the only folder at its top.
    static func adapterName(ofArchive archive: [UInt8]) throws -> String? {
        let files = try ZipArchive(archive, limit: largestAdapter, mostFiles: mostFiles).files.map(\.path)
        let folder = onlyFolder(of: files)
        let names = files.map { $0.dropFirst(folder.count) }.filter { !$0.contains("/") && $0.hasSuffix(".xml") }
        return names.count == 1 ? String(names[0].dropLast(4)) : nil
    }

    /// The folder that has all files, with its slash; empty without such a folder.
    private static func onlyFolder(of files: [String]) -> String {
        guard let slash = files.first?.firstIndex(of: "/"), let first = files.first else { return "" }
        let folder = first[...slash]
        return files.allSatisfy { $0.hasPrefix(folder) } ? String(folder) : ""
    }

    /// The files of an adapter's archive, which may have them in a folder.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    private static func files(of archive: [UInt8]) throws(ManagementError) -> [ZipArchive.File] {
        let files: [ZipArchive.File]
        do {
            files = try ZipArchive(archive, limit: largestAdapter, mostFiles: mostFiles).files
        } catch {
            throw ManagementError(.badRequest, "\(error)", field: "archive")
        }
        guard !files.isEmpty else {
            throw ManagementError(.badRequest, "expected files, found an empty archive", field: "archive")
        }
        try checkNames(of: files)
        let folder = onlyFolder(of: files.map(\.path))
        return try files.map { (file) throws(ManagementError) in
            let path = String(file.path.dropFirst(folder.count))
            let isSafe = path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\\") && !$0.contains("\0")
            }
            guard isSafe else {
                throw ManagementError(
                    .badRequest, "expected names of files below the adapter's folder, found '\(path.prefix(100))'",
                    field: "archive")
            }
            return ZipArchive.File(path: path, bytes: file.bytes)
        }
    }

    /// - Throws: ``ManagementError`` with status 400 for names that no folder can have.
    private static func checkNames(of files: [ZipArchive.File]) throws(ManagementError) {
        var names: Set<String> = []
        for file in files {
            let name = file.path.prefix(100).description.printable
            guard file.path == file.path.printable, !file.path.contains("\n"), !file.path.contains("\t") else {
                throw ManagementError(
                    .badRequest, "expected names of files without control characters, found '\(name)'", field: "archive"
                )
            }
            guard file.path.utf8.count <= 1000, file.path.split(separator: "/").allSatisfy({ $0.utf8.count <= 255 })
            else {
                throw ManagementError(
                    .badRequest, "expected names of 255 bytes and paths of 1,000 at most, found '\(name)…'",
                    field: "archive")
            }
            guard names.insert(file.path).inserted else {
                throw ManagementError(.badRequest, "the archive has two files '\(name)'", field: "archive")
            }
        }
        for file in files {
            var parent = file.path[...]
            while let slash = parent.lastIndex(of: "/") {
                parent = parent[..<slash]
                guard !names.contains(String(parent)) else {
                    throw ManagementError(
                        .badRequest, "the archive has a file and a folder '\(String(parent.prefix(100)).printable)'",
                        field: "archive")
                }
            }
        }
    }
}

/// Replaces a folder, and can put the former one back.
private final class FolderReplacement: Sendable {
    let target: URL
    /// Has the new folder and then the former one.
    private let workspace: URL
    private let state = Mutex((movedFormer: false, placedNew: false))

    init(target: URL, workspace: URL) { (self.target, self.workspace) = (target, workspace) }

    private var former: URL { workspace.appending(path: "former") }

    func install(_ files: [ZipArchive.File]) throws {
        let manager = FileManager.default
        let new = workspace.appending(path: "new")
        try manager.createDirectory(at: new, withIntermediateDirectories: true)
        for file in files {
            let url = new.appending(path: file.path)
            try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
        }
        try manager.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        if manager.fileExists(atPath: target.path) {
            try manager.moveItem(at: target, to: former)
            state.withLock { $0.movedFormer = true }
        }
        try manager.moveItem(at: new, to: target)
        state.withLock { $0.placedNew = true }
    }

    func undo() {
        let (movedFormer, placedNew) = state.withLock { $0 }
        let manager = FileManager.default
        if placedNew { try? manager.removeItem(at: target) }
        if movedFormer {
            do {
                try manager.moveItem(at: former, to: target)
            } catch {
                // The former files stay in the workspace.
                return
            }
        }
        finish()
    }

    func finish() {
        try? FileManager.default.removeItem(at: workspace)
    }
}
