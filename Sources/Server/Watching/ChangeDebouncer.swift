import WorklightProject

/// Decides from how a project looks again and again what has changed and is complete.
///
/// Editors and version control write a file in several steps, and take one away before they put another in its place. So a
/// change counts once the adapter's folder has looked the same twice, and one that is gone counts as gone only when it has
/// stayed away for some looks more.
struct ChangeDebouncer {
    enum Change: Hashable {
        case deploy(String)
        case undeploy(String)
        /// A file that is read at the start only.
        case restart(String)
    }

    /// How often an adapter's folder must be missed before it counts as gone: a second, at four looks a second.
    static let looksUntilGone = 5

    private struct PendingChange {
        var folder: ProjectSnapshot.Folder?
        /// How many looks have found it so.
        var looks: Int
    }

    /// What has been acted on.
    private var known: [String: ProjectSnapshot.Folder]
    private var others: [String: FileStamp]
    private var unsettled: [String: PendingChange] = [:]
    private var unsettledOthers: [String: FileStamp]?

    /// - Parameter image: what needs no acting on.
    init(_ image: ProjectSnapshot) {
        known = image.adapters ?? [:]
        others = image.others
    }

    /// Takes the next look.
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
