import WorklightProject

/// Compares successive snapshots of a project and finds changes that are complete.
///
/// Editors and version control write a file in several steps, and remove the old file before they create the new one. So a change counts once two
/// snapshots of the adapter's folder are equal, and a removal counts only after some further snapshots without the folder.
struct ChangeDebouncer {
    enum Change: Hashable {
        case deploy(String)
        case undeploy(String)
        /// A file that is read at the start only.
        case restart(String)
    }

    /// The number of snapshots without an adapter's folder after which it counts as removed: a second, at four snapshots a second.
    static let looksUntilGone = 5

    private struct PendingChange {
        var folder: ProjectSnapshot.Folder?
        /// The number of snapshots with this state.
        var looks: Int
    }

    /// The state that has been processed.
    private var known: [String: ProjectSnapshot.Folder]
    private var others: [String: FileStamp]
    private var unsettled: [String: PendingChange] = [:]
    private var unsettledOthers: [String: FileStamp]?

    /// - Parameter image: what needs no acting on.
    init(_ image: ProjectSnapshot) {
        known = image.adapters ?? [:]
        others = image.others
    }

    /// Processes the next snapshot.
    ///
    /// - Returns: the changes to act on, by name.
    mutating func look(_ image: ProjectSnapshot) -> [Change] {
        lookAtAdapters(image) + lookAtOthers(image)
    }

    private mutating func lookAtAdapters(_ image: ProjectSnapshot) -> [Change] {
        guard let adapters = image.adapters else { return [] }
        return Set(known.keys).union(adapters.keys).sorted().compactMap { name in
            let folder = adapters[name]
            guard folder != known[name] else {
                unsettled[name] = nil
                return nil
            }
            let looks = unsettled[name].flatMap { $0.folder == folder ? $0.looks + 1 : nil } ?? 1
            unsettled[name] = PendingChange(folder: folder, looks: looks)
            guard looks >= (folder == nil ? Self.looksUntilGone : 2) else { return nil }
            unsettled[name] = nil
            known[name] = folder
            return folder == nil ? .undeploy(name) : .deploy(name)
        }
    }

    private mutating func lookAtOthers(_ image: ProjectSnapshot) -> [Change] {
        defer { unsettledOthers = image.others }
        guard image.others != others, image.others == unsettledOthers else { return [] }
        let changed = Set(others.keys).union(image.others.keys).filter { others[$0] != image.others[$0] }
        others = image.others
        return changed.sorted().map { .restart($0) }
    }
}
