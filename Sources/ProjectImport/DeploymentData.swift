import Foundation
import WorklightProject

/// `meta/deployment.data` of a `.wlapp` file: facts about one environment of an application in one version.
struct DeploymentData {
    /// The application's id.
    let application: String
    /// The descriptor's name for the environment, such as `mobileWebApp`; `nil` for the part that all environments share.
    let environment: String?
    let version: String
    private let properties: WorklightProperties

    /// The descriptor's names of environments, by those of these files, which write them in capital or small letters.
    private static let environments: [String: String] = {
        let names = [
            "iphone", "ipad", "android", "blackberry", "blackberry10", "windowsPhone", "windowsPhone8",
            "windowsPhoneUniversal", "windows8", "mobileWebApp", "desktopBrowser", "adobeAir", "air", "embeddedPage",
        ]
        var all = ["androidnative": "nativeAndroid", "iosnative": "nativeIOS", "javamenative": "nativeJavaME"]
        for name in names { all[name.lowercased()] = name }
        return all
    }()

    /// - Throws: ``ImportError`` when an entry that a descriptor needs is missing.
    init(reading text: String, of file: String) throws(ImportError) {
        properties = WorklightProperties(parsing: text)
        let place = "\(file): meta/deployment.data"
        guard let application = properties["app.id"], !application.isEmpty else {
            throw ImportError(place, "there is no app.id; expected the id of the application")
        }
        guard application.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil, !application.hasPrefix(".") else {
            throw ImportError(place, "app.id is '\(application)'; expected letters, digits, '_', '-' and '.'")
        }
        guard let environment = properties["app.environment"]?.lowercased(), !environment.isEmpty else {
            throw ImportError(place, "there is no app.environment; expected a name such as android")
        }
        guard environment == "common" || Self.environments[environment] != nil else {
            throw ImportError(place, "app.environment is '\(environment)', which is not an environment of Worklight")
        }
        let version = properties["app.version"] ?? ""
        guard version.wholeMatch(of: /[A-Za-z0-9_.\-]*/) != nil, !version.hasPrefix(".") else {
            throw ImportError(place, "app.version is '\(version)'; expected letters, digits, '_', '-' and '.'")
        }
        (self.application, self.version) = (application, version)
        self.environment = Self.environments[environment]
    }

    /// The value of a property; `nil` if it is missing or empty.
    subscript(key: String) -> String? { properties[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// True for an application without web resources, whose descriptor has another root element.
    var isNative: Bool { environment?.hasPrefix("native") == true }

    /// Returns whether another version is later: versions are compared by the numbers in them, then by their characters.
    func isOlder(than other: DeploymentData) -> Bool {
        version.compare(other.version, options: .numeric) == .orderedAscending
    }
}
