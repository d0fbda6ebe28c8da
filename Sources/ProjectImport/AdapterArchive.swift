import Foundation
import WorklightProject

/// A `.adapter` file: the folder of an adapter.
enum AdapterArchive {
    static func plan(_ archive: ZipArchive, in plan: inout ImportPlan) throws(ImportError) {
        let descriptors = archive.entries.filter { !$0.path.contains("/") && $0.path.hasSuffix(".xml") }
        guard let descriptor = descriptors.first(where: isDescriptor) else {
            throw ImportError(
                archive.name,
                "there is no adapter in it; expected NAME.xml with the element 'adapter' beside NAME-impl.js")
        }
        let name = String(descriptor.path.dropLast(".xml".count))
        // It becomes a folder's name.
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            throw ImportError(
                archive.name, "'\(name)' is not an adapter's name; expected a letter, then letters, digits and '_'")
        }
        guard archive.entries.contains(where: { $0.path.hasPrefix("\(name)-impl.") || $0.path.hasSuffix("-impl.js") })
        else {
            plan.leaveOut("", of: archive.name, because: "the adapter '\(name)' is written in Java")
            plan.remarks.append(
                "\(archive.name): write the Java adapter '\(name)' again in JavaScript: lamplighter new adapter \(name)"
            )
            return
        }
        for entry in archive.entries {
            try plan.add(.file(entry.file), of: archive.name, entry.path, to: "adapters/\(name)/\(entry.path)")
        }
    }

    private static func isDescriptor(_ entry: ZipArchive.Entry) -> Bool {
        guard let data = try? Data(contentsOf: entry.file) else { return false }
        return FileText(markup: data).text.contains(/<([A-Za-z_][A-Za-z0-9_.\-]*:)?adapter[\s>]/)
    }
}
