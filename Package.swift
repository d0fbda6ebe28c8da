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
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
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
        .target(
            name: "PushModel",
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "PushModel",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PollScheduler",
            dependencies: [
                "PushModel",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TestSupport",
            dependencies: ["PushModel"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "JavaScriptEngineTests", dependencies: ["JavaScriptEngine"], swiftSettings: strict),
        .testTarget(
            name: "StorageTests",
            dependencies: ["PushModel", "Storage", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PollSchedulerTests",
            dependencies: [
                "PollScheduler", "PushModel", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ]
)
