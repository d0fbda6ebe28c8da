/// The scripts that the server runs in scopes beside the adapter's own: the files in the folder `JavaScript`.
enum RuntimeScripts {
    /// A function that declares the names of Java's packages.
    static let javaPackages = EmbeddedText.java_packages_js
    /// A function of the native hooks that returns the members of `JavaLibrary` by their paths.
    static let javaMembers = EmbeddedText.java_members_js
    /// A function that installs the members that Rhino's built-in objects had.
    static let rhinoLibrary = EmbeddedText.rhino_library_js
    /// A function that replaces the global `Date`.
    static let replaceDate = EmbeddedText.replace_date_js
    /// A function that has the global `Date` ask another clock.
    static let scriptClock = EmbeddedText.script_clock_js
    /// A function that declares what scripts of authenticators and login modules find.
    static let realm = EmbeddedText.realm_js
    /// A function that returns a readable form of a value.
    static let inspection = EmbeddedText.inspect_js

    /// The file name, in errors, of the scripts that inspect values.
    static let inspectionFile = "lamplighter:inspect"
}
