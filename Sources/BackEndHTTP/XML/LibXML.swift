import CLibXML
import Foundation
import Synchronization

/// The libraries' process-wide settings: nothing is read that was not allowed, nothing is printed.
enum LibXML {
    /// The files that the current thread may read, and its attempts to read others.
    final class Permission {
        /// With all links resolved; `nil` allows nothing.
        let folder: String?
        var refusals: [String] = []

        init(folder: String?) {
            self.folder = folder
        }

        func allows(_ address: String) -> Bool {
            guard let folder, let resolved = Self.resolve(address) else {
                refusals.append(address)
                return false
            }
            if resolved.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") { return true }
            refusals.append(address)
            return false
        }

        /// The file behind a path or `file:` address, all links resolved; `nil` when there is none.
        static func resolve(_ address: String) -> String? {
            var path = address
            if let url = URL(string: address), let scheme = url.scheme {
                guard scheme.lowercased() == "file" else { return nil }
                path = url.path
            } else {
                path = address.removingPercentEncoding ?? address
            }
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        }
    }

    private static let key = "Lamplighter.LibXML.Permission"

    /// Runs `body`, in which this thread may read below `folder` only.
    static func withPermission<Result, Failure: Error>(
        folder: String?, _ body: (Permission) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = isReady
        let storage = Thread.current.threadDictionary
        let outer = storage[key]
        let permission = Permission(folder: folder)
        storage[key] = permission
        defer { storage[key] = outer }
        return try body(permission)
    }

    /// The current thread's; nothing is allowed outside of ``withPermission(folder:_:)``.
    static var permission: Permission {
        Thread.current.threadDictionary[key] as? Permission ?? Permission(folder: nil)
    }

    private static let isReady: Bool = {
        xmlInitParser()
        exsltRegisterAll()
        xmlSetExternalEntityLoader { address, _, context in
            guard let address, LibXML.permission.allows(String(cString: address)) else { return nil }
            return xmlNewInputFromFile(context, address)
        }
        let preferences = xsltNewSecurityPrefs()
        for option in [
            XSLT_SECPREF_WRITE_FILE, XSLT_SECPREF_CREATE_DIRECTORY, XSLT_SECPREF_READ_NETWORK,
            XSLT_SECPREF_WRITE_NETWORK,
        ] {
            xsltSetSecurityPrefs(preferences, option) { _, _, address in
                LibXML.permission.refusals.append(address.map { String(cString: $0) } ?? "")
                return 0
            }
        }
        xsltSetSecurityPrefs(preferences, XSLT_SECPREF_READ_FILE) { _, _, address in
            guard let address else { return 0 }
            return LibXML.permission.allows(String(cString: address)) ? 1 : 0
        }
        xsltSetDefaultSecurityPrefs(preferences)
        lamplighterSetCompilationErrors(nil)
        return true
    }()
}
