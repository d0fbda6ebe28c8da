/// The result of an import: the outcome for each part of the given files.
public struct ImportReport: Sendable, Hashable {
    /// A part of a file, such as an entry of an archive or a folder in it.
    public struct Item: Sendable, Hashable {
        public enum Outcome: Sendable, Hashable {
            /// It is in the project now, at this path.
            case written(String)
            /// The project had the same file already.
            case unchanged(String)
            /// The project has another file there, which was kept. The new one is beside it, with ``ImportReport/differentSuffix``.
            case different(String)
            /// It was not taken, for this reason.
            case leftOut(String)
        }

        /// The name of the given file.
        public let source: String
        /// The part of the file; empty for all of it.
        public let part: String
        public let outcome: Outcome
    }

    /// The end of the names of files that differ from those of the project.
    public static let differentSuffix = ".imported"

    /// In the order of the given files.
    public internal(set) var items: [Item] = []
    /// The work that is left to the operator, a sentence each.
    public internal(set) var remarks: [String] = []

    /// The paths of the written files and folders.
    public var writtenPaths: [String] {
        items.compactMap { if case .written(let path) = $0.outcome { path } else { nil } }
    }
}
