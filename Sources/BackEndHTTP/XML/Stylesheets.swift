import CLibXML
import Core
import Foundation
import Synchronization
import WorklightProject

/// The stylesheets of one adapter, compiled once per version of their file.
final class Stylesheets: Sendable {
    /// Identifies a version of a file.
    private struct Version: Hashable {
        let path: String
        let stamp: FileStamp
    }

    private let folder: String?
    private let cache = Mutex<[Version: CompiledStylesheet]>([:])

    init(folder: URL?) {
        self.folder = folder.flatMap { LibXML.Permission.resolve($0.path) }
    }

    /// Applies the stylesheet `file`, relative to the adapter's folder, to a document.
    ///
    /// Runs on its own thread, because libxslt needs much stack for recursive templates; the caller waits.
    func transform(
        _ text: String, isHTML: Bool, with file: String, deadline: ContinuousClock.Instant, cpu: CPUBudget? = nil
    ) throws(ConversionError) -> String {
        let (path, folder) = try find(file)
        let run = TransformationRun(cpu: cpu)
        let thread = Thread { [self] in
            run.beginThread()
            run.finish(
                Result { () throws(ConversionError) in
                    try LibXML.withPermission(folder: folder) { permission throws(ConversionError) in
                        let stylesheet = try compiled(path, name: file)
                        let document = try MarkupDocument.parse(text, isHTML: isHTML)
                        return try stylesheet.apply(to: document, run: run, permission: permission)
                    }
                })
        }
        thread.stackSize = 64 << 20
        thread.name = "xsl"
        thread.start()
        return try run.wait(until: deadline)
    }

    /// Returns the JSON of the output of the stylesheet `file`, a JavaScript object or array literal; `nil` when it wrote nothing.
    static func json(_ output: String, madeBy file: String) throws(ConversionError) -> String? {
        do {
            return try ObjectLiteral.json(output)
        } catch {
            throw .transformation("the output of \(file) is not a JavaScript object literal: \(error)")
        }
    }

    /// Documents without content on which the stylesheet `file` has something to do: one for each root element that a template
    /// names, such as `/rss`, and one with any other root.
    ///
    /// - Throws: ``ConversionError`` when the stylesheet cannot be compiled.
    func emptyDocuments(for file: String) throws(ConversionError) -> [String] {
        let (path, folder) = try find(file)
        return try LibXML.withPermission(folder: folder) { _ throws(ConversionError) in
            try compiled(path, name: file).roots.map { root in
                "<\(root.name)" + (root.namespace.map { " xmlns=\"\($0.escapedForXML)\"" } ?? "") + "/>"
            } + ["<empty/>"]
        }
    }

    private func find(_ file: String) throws(ConversionError) -> (path: String, folder: String) {
        guard let folder else { throw .transformation("\(file) cannot be looked up: the adapter has no folder") }
        guard let path = LibXML.Permission.resolve(folder + "/" + file), path.hasPrefix(folder + "/") else {
            throw .transformation("there is no \(file) in the adapter's folder")
        }
        return (path, folder)
    }

    private func compiled(_ path: String, name: String) throws(ConversionError) -> CompiledStylesheet {
        guard let stamp = FileStamp(path: path) else { throw .transformation("\(name) cannot be read") }
        let version = Version(path: path, stamp: stamp)
        if let known = cache.withLock({ $0[version] }) { return known }
        let stylesheet = try CompiledStylesheet(path: path, name: name)
        cache.withLock { cache in
            cache = cache.filter { $0.key.path != path }
            cache[version] = stylesheet
        }
        return stylesheet
    }
}
