import Authentication
import Foundation
import Hummingbird
import WorklightProject

/// The built resources of an application in the project's folder: `apps/APP/ENVIRONMENT/www/SKIN/…`, written by `lamplighter import`.
///
/// Its functions read the disk, so they block.
struct WebAppFolder: Sendable {
    let project: URL
    let descriptor: ApplicationDescriptor

    enum SearchResult: Sendable {
        case file(WebAppFile)
        /// A folder, but the path has no slash at its end.
        case folder
        /// The reason, with the remedy.
        case missing(String)
    }

    private static let standardSkin = "default"

    /// Finds a file.
    ///
    /// The first segment is the skin if the environment has a skin of that name; without one the skin is `default`.
    func find(_ path: WebAppPath) -> SearchResult {
        guard let base = base(of: path) else { return .missing(missingResources(path)) }
        var segments = path.segments[...]
        var skin = base.appending(path: Self.standardSkin)
        if let first = segments.first, Self.isFolder(base.appending(path: first)) {
            skin = base.appending(path: first)
            segments.removeFirst()
        }
        let target = segments.reduce(skin) { $0.appending(path: $1) }
        // Files whose names begin with a dot belong to tools.
        guard !path.segments.contains(where: { $0.hasPrefix(".") }), let root = Self.realPath(base.path),
            Self.realPath(target.path)?.hasPrefix(root + "/") == true
        else {
            return .missing("there is no such file in \(relative(skin))")
        }
        guard Self.isFolder(target) else {
            return (path.isFolder ? nil : WebAppFile(target.path, below: root)).map { .file($0) }
                ?? .missing("there is no file \(segments.joined(separator: "/")) in \(relative(skin))")
        }
        guard path.isFolder else { return .folder }
        let main = segments.isEmpty ? descriptor.mainFile ?? "index.html" : "index.html"
        let file = target.appending(path: main)
        return WebAppFile(file.path, below: root).map { .file($0) }
            ?? .missing("there is no file \(main) in \(relative(target))")
    }

    /// Returns true if an environment is for browsers, and its resources are in the project.
    func hasPages(_ environment: String) -> Bool {
        let environment = ClientEnvironment(environment)
        return environment.isWebApp
            && subfolder(of: folder, environment).map { Self.isFolder($0.appending(path: "www")) } ?? false
    }

    /// The application's folder.
    private var folder: URL { project.appending(path: descriptor.path).deletingLastPathComponent() }

    /// The folder of the skins; `nil` without one.
    private func base(of path: WebAppPath) -> URL? {
        let environment = ClientEnvironment(path.environment)
        let current = subfolder(of: folder, environment)
        let candidates: [URL?]
        switch path.kind {
        case .www: candidates = [current?.appending(path: "www")]
        case .preview(let version):
            let others = subfolder(of: folder.appending(path: "versions"), environment)?.appending(path: version)
            let declared = descriptor.environments.first { ClientEnvironment($0.name) == environment }?.version
            let isCurrent = declared == nil || declared == version
            candidates = [(isCurrent ? current : others)?.appending(path: "preview")]
        }
        return candidates.lazy.compactMap(\.self).first(where: Self.isFolder)
    }

    /// Clients spell environments in any case.
    private func subfolder(of folder: URL, _ environment: ClientEnvironment) -> URL? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().first { ClientEnvironment($0) == environment }.map { folder.appending(path: $0) }
    }

    private func missingResources(_ path: WebAppPath) -> String {
        switch path.kind {
        case .www:
            """
            the pages of \(path.application) for \(path.environment) are not in \(relative(folder)): they come from the .wlapp file, by \
            'lamplighter import \(path.application)-\(path.environment)-VERSION.wlapp --to PROJECT'
            """
        case .preview(let version):
            """
            \(relative(folder)) has no preview of \(path.environment) in version \(version): it comes from the .wlapp file, by \
            'lamplighter import \(path.application)-\(path.environment)-\(version).wlapp --to PROJECT'
            """
        }
    }

    private func relative(_ url: URL) -> String { String(url.path.dropFirst(project.path.count + 1)) }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A file of a web app, in the state in which it was found.
struct WebAppFile: Sendable, Hashable {
    /// The largest page in bytes whose URLs are replaced; larger ones are sent as they are.
    private static let largestPage = 1 << 20

    let path: String
    let size: Int
    let modified: Date
    /// Changes when the file does.
    private let state: String

    /// - Parameter folder: a path without links.
    /// - Returns: `nil` unless it is a regular file below the folder, once links are followed, that this user can read.
    init?(_ path: String, below folder: String) {
        guard let file = OpenFile(path), file.location?.hasPrefix(folder + "/") == true else { return nil }
        self.path = path
        (size, modified, state) = (file.size, file.modified, file.state)
    }

    /// True if it may name the context root of the old server.
    var isPage: Bool {
        ["html", "htm"].contains((path as NSString).pathExtension.lowercased()) && size <= Self.largestPage
    }

    /// The media type by the extension of the name.
    var type: String {
        MediaType.getMediaType(forExtension: (path as NSString).pathExtension.lowercased())?.description
            ?? "application/octet-stream"
    }

    /// - Parameter contextRoot: the one that pages get.
    func entityTag(under contextRoot: String) -> String {
        isPage ? "\"\(state)-\(contextRoot)\"" : "\"\(state)\""
    }

    /// Reads a part of the file. It opens the file each time, so that a client that takes its time holds no open file.
    ///
    /// - Throws: ``ChangedError`` when it is not the same file any more.
    func bytes(from offset: Int, count: Int) throws -> [UInt8] {
        guard let file = OpenFile(path), file.state == state, let bytes = file.bytes(from: offset, count: count) else {
            throw ChangedError()
        }
        return bytes
    }

    /// The file was replaced while it was read.
    struct ChangedError: Error {}
}

/// A regular file that is open. All facts come from its descriptor, so that a link that changes meanwhile leads to no other file.
private final class OpenFile {
    private let descriptor: Int32
    private let facts: stat

    init?(_ path: String) {
        // A pipe without a writer would block.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        var facts = stat()
        let isRegular = descriptor >= 0 && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        self.facts = facts
        guard isRegular else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int { Int(facts.st_size) }

    var modified: Date { Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec)) }

    /// Changes when the file does.
    var state: String {
        let time = facts.st_mtim
        return [Int(facts.st_dev), Int(facts.st_ino), time.tv_sec, time.tv_nsec, size].map { String($0, radix: 36) }
            .joined(separator: "-")
    }

    /// The path without links.
    var location: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    /// - Returns: `nil` when the file is shorter.
    func bytes(from offset: Int, count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            while read < count, let start = buffer.baseAddress {
                let more = pread(descriptor, start + read, count - read, offset + read)
                guard more > 0 else { break }
                read += more
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
