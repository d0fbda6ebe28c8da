import Foundation
import WorklightProject

/// A project's `.war` file: its `server/conf` and its Java libraries, among IBM's files.
enum RuntimeArchive {
    private static let configuration = "WEB-INF/classes/conf/"
    private static let libraryFolder = "WEB-INF/lib/"
    private static let classes = "WEB-INF/classes/"

    static func plan(_ archive: ZipArchive, in plan: inout ImportPlan) throws(ImportError) {
        guard archive.entries.contains(where: { $0.path.hasPrefix(configuration) }) else {
            throw ImportError(
                archive.name,
                "there is no \(configuration) in it; expected the .war file of a Worklight project, such as bin/PROJECT.war"
            )
        }
        var others = 0
        var classFiles = 0
        var libraries: [String] = []
        for entry in archive.entries {
            if entry.path.hasPrefix(configuration) {
                // Any of them may have a password or a key.
                try plan.add(
                    .file(entry.file), of: archive.name, entry.path,
                    to: "server/conf/\(entry.path.dropFirst(configuration.count))", isSecret: true)
            } else if entry.path.hasPrefix(libraryFolder) {
                if let name = planLibrary(entry, of: archive.name, in: &plan) { libraries.append(name) }
            } else if entry.path.hasPrefix(classes), entry.path.hasSuffix(".class"),
                !isIBMs(entry.path.dropFirst(classes.count))
            {
                classFiles += 1
            } else {
                others += 1
            }
        }
        if classFiles > 0 {
            plan.leaveOut(
                "\(classes) (the project's classes: \(classFiles))", of: archive.name,
                because: "Java does not run here")
            libraries.append("the project's classes in \(archive.name)")
        }
        if !libraries.isEmpty { plan.remarks.append(advice(libraries.joined(separator: ", "))) }
        if others > 0 {
            plan.leaveOut(
                "web.xml, IBM's classes and the like (files: \(others))", of: archive.name,
                because: "they are parts of IBM's server")
        }
    }

    /// - Returns: the name of a library that is not IBM's.
    private static func planLibrary(_ entry: ZipArchive.Entry, of archive: String, in plan: inout ImportPlan) -> String?
    {
        let name = (entry.path as NSString).lastPathComponent
        let listed = try? ZipArchive.paths(of: entry.file).filter { $0.hasSuffix(".class") }
        if let listed, !listed.isEmpty, listed.allSatisfy({ isIBMs($0[...]) }) {
            plan.leaveOut(entry.path, of: archive, because: "it is a part of IBM's server")
            return nil
        }
        plan.leaveOut(entry.path, of: archive, because: "Java does not run here")
        return name
    }

    /// The sentence about Java code of the project.
    private static func advice(_ subject: String) -> String {
        """
        \(subject): write the Java classes that the project uses again in JavaScript: 'lamplighter check --strict' lists adapters' calls of Java; \
        authenticators and login modules that authenticationConfig.xml names are made by 'lamplighter new authenticator CLASS'
        """
    }

    private static func isIBMs(_ path: Substring) -> Bool {
        path.hasPrefix("com/worklight/") || path.hasPrefix("com/ibm/")
    }
}
