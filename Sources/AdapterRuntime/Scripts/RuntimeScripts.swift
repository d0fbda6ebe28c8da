/// The scripts that the server runs in scopes beside the adapter's own: the files in the folder `JavaScript`.
enum RuntimeScripts {
    /// A function that declares the names of Java's packages.
    static let javaPackages = text(PackageResources.java_packages_js)
    /// A function of the native hooks that returns the members of `JavaLibrary` by their paths.
    static let javaMembers = text(PackageResources.java_members_js)
    /// A function that installs the members that Rhino's built-in objects had.
    static let rhinoLibrary = text(PackageResources.rhino_library_js)
    /// A function that replaces the global `Date`.
    static let replaceDate = text(PackageResources.replace_date_js)
    /// A function that has the global `Date` ask another clock.
    static let scriptClock = text(PackageResources.script_clock_js)
    /// A function that declares what scripts of authenticators and login modules find.
    static let realm = text(PackageResources.realm_js)
    /// A function that returns a value as text for people.
    static let inspection = text(PackageResources.inspect_js)

    /// What errors call the scripts that look at values.
    static let inspectionFile = "lamplighter:inspect"

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
