// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is held to the same rules: Swift 6 mode (the tools version's default), `any` spelled out,
/// imports private to the file unless said otherwise, and no warning left standing.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "lamplighter",
    targets: [
        // The engine: JavaScriptCore's C API and a safe Swift face on it.
        .systemLibrary(
            name: "CJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .target(
            name: "JavaScriptEngine",
            dependencies: ["CJavaScriptCore"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "JavaScriptEngineTests",
            dependencies: ["JavaScriptEngine"],
            swiftSettings: strict
        ),
    ]
)
