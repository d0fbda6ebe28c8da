public import Foundation

/// Finds errors in the stylesheets of an adapter's folder.
public struct StylesheetCheck {
    /// A problem with a stylesheet.
    public struct Finding: Sendable, Hashable {
        /// The file, relative to the adapter's folder.
        public let file: String
        /// Counted from 1; `nil` for the whole file.
        public let line: Int?
        public let message: String
        /// True if every call fails; else only the run on an empty document did, and one with content may succeed.
        public let isCertain: Bool
    }

    private let folder: URL
    private let stylesheets: Stylesheets

    /// - Parameter folder: the adapter's.
    public init(folder: URL) {
        self.folder = folder
        stylesheets = Stylesheets(folder: folder)
    }

    /// Compiles each `.xsl` and `.xslt` file of the folder and runs it once on an empty document. Blocks.
    ///
    /// - Parameter patience: how long one run may take.
    public func findings(patience: Duration = .seconds(60)) -> [Finding] {
        files.compactMap { file in
            let documents: [String]
            do throws(ConversionError) { documents = try stylesheets.emptyDocuments(for: file) } catch {
                return finding(file, error, isCertain: true)
            }
            do throws(ConversionError) {
                for document in documents {
                    let output = try stylesheets.transform(
                        document, isHTML: false, with: file, deadline: .now + patience)
                    _ = try Stylesheets.json(output, madeBy: file)
                }
                return nil
            } catch {
                return finding(file, error, isCertain: false)
            }
        }
    }

    private var files: [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { ["xsl", "xslt"].contains(($0 as NSString).pathExtension.lowercased()) }.sorted()
    }

    private func finding(_ file: String, _ error: ConversionError, isCertain: Bool) -> Finding {
        // The libraries name the line of the stylesheet; that of a bad literal is a line of the output.
        let text = error.description
        let place = isCertain ? text.firstMatch(of: /\bat line (\d+)/) ?? text.firstMatch(of: /\bline (\d+)/) : nil
        let line = place.flatMap { Int($0.1) }
        return Finding(file: file, line: line, message: error.description, isCertain: isCertain)
    }
}
