extension ProjectError {
    /// Returns the problem of a file with a merge conflict: the first line that begins with `<<<<<<< `; `nil` without one.
    ///
    /// - Parameters:
    ///   - text: the contents of the file.
    ///   - file: its path, for the problem.
    package static func mergeConflict(in text: String, file: String) -> ProjectError? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard let index = lines.firstIndex(where: { $0.hasPrefix("<<<<<<< ") }) else { return nil }
        return ProjectError(
            .error, file: file, line: index + 1,
            "the file has an unresolved merge conflict (\(lines[index].prefix(60))): keep one of the versions, and remove the lines "
                + "that begin with <<<<<<<, ======= and >>>>>>>")
    }
}
