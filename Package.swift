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
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "lamplighter", targets: ["lamplighter"]),
        .executable(name: "push-sandbox", targets: ["push-sandbox"]),
        .library(name: "LamplighterTesting", targets: ["LamplighterTesting"]),
        .library(name: "WorklightClient", targets: ["WorklightClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
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

        // What a script says, and what the engine needs said otherwise.
        .target(
            name: "AdapterSyntax",
            swiftSettings: strict
        ),

        // What everyone speaks.
        .target(
            name: "PushModel",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: strict
        ),

        // A project's folder, read and checked.
        .target(
            name: "WorklightProject",
            swiftSettings: strict
        ),

        // What adapters reach over HTTP, and how its answers become JSON.
        .systemLibrary(
            name: "CLibXML",
            pkgConfig: "libexslt",
            providers: [.apt(["libxml2-dev", "libxslt1-dev"])]
        ),
        .target(
            name: "BackEndHTTP",
            dependencies: [
                "CLibXML",
                "PushModel",
                "WorklightProject",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),

        // The databases that adapters reach.
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CODBC", pkgConfig: "odbc", providers: [.apt(["unixodbc-dev"])]),
        .target(
            name: "BackEndSQL",
            dependencies: [
                "CODBC",
                "CPostgres",
                "WorklightProject",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),

        // What an adapter touches, and what runs it.
        .target(
            name: "AdapterRuntime",
            dependencies: [
                "AdapterSyntax",
                "BackEndHTTP",
                "BackEndSQL",
                "JavaScriptEngine",
                "PushModel",
                "WorklightProject",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // What will bite in an adapter, told from its text.
        .target(
            name: "AdapterChecks",
            dependencies: ["AdapterSyntax", "Delivery", "PushModel", "WorklightProject"],
            swiftSettings: strict
        ),
        .target(
            name: "ProjectTemplates",
            resources: [.embedInCode("Files")],
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "PushModel",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
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
            name: "Delivery",
            dependencies: [
                "PushModel",
                "WorklightProject",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),

        // Adapters under test: from Swift, and from JavaScript for the command line.
        .target(name: "TestClock", dependencies: ["PushModel"], swiftSettings: strict),
        .target(
            name: "LamplighterTesting",
            dependencies: [
                "AdapterRuntime",
                "AdapterSyntax",
                "BackEndHTTP",
                "BackEndSQL",
                "Delivery",
                "PollScheduler",
                "PushModel",
                "Storage",
                "TestClock",
                "WorklightProject",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),

        .target(
            name: "AdapterTestRunner",
            dependencies: [
                "AdapterRuntime", "AdapterSyntax", "JavaScriptEngine", "LamplighterTesting", "PushModel", "TestClock",
                "WorklightProject", .product(name: "Logging", package: "swift-log"),
            ],
            resources: [
                .embedInCode("JavaScript/describe.js"), .embedInCode("JavaScript/expect.js"),
                .embedInCode("JavaScript/harness.js"),
            ],
            swiftSettings: strict
        ),

        // The push services, and a stand-in for them.
        .target(
            name: "PushServices",
            dependencies: [
                "Delivery",
                "PushModel",
                "Tokens",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PushSandbox",
            dependencies: [
                "PushModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "push-sandbox",
            dependencies: [
                "PushSandbox",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // Who may reach what: passwords, tokens, realms and sessions.
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CLDAP", pkgConfig: "ldap", providers: [.apt(["libldap2-dev"])]),
        .target(
            name: "Credentials",
            dependencies: [
                "BackEndSQL",
                "CArgon2",
                "CCrypt",
                "CLDAP",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Tokens",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "BigInt", package: "BigInt"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Authentication",
            dependencies: [
                "AdapterRuntime",
                "Credentials",
                "PushModel",
                "Tokens",
                "WorklightProject",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),

        // What the server listens with.
        .target(
            name: "Transport",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // The other end: what applications are written with. It imports nothing of the server.
        .target(
            name: "WorklightClient",
            dependencies: [
                "CZlib",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "native-push",
            dependencies: [
                "WorklightClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "examples/NativePush",
            exclude: ["README.md", "project", "worklight.plist"],
            swiftSettings: strict
        ),

        // The server and its command line.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Gateway",
            dependencies: [
                "AdapterRuntime",
                "BackEndSQL",
                "CZlib",
                "Credentials",
                "Delivery",
                "PollScheduler",
                "PushModel",
                "PushServices",
                "Authentication",
                "Storage",
                "Tokens",
                "Transport",
                "WorklightProject",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lamplighter",
            dependencies: [
                "AdapterChecks",
                "AdapterRuntime",
                "AdapterTestRunner",
                "AdapterSyntax",
                "Delivery",
                "Gateway",
                "JavaScriptEngine",
                "ProjectTemplates",
                "PushModel",
                "PushServices",
                "Authentication",
                "Transport",
                "WorklightProject",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict
        ),

        // Measured by hand, in a release build.
        .executableTarget(
            name: "runtime-benchmark",
            dependencies: [
                "AdapterRuntime", "CJavaScriptCore", "JavaScriptEngine", "PushModel", "Storage", "WorklightProject",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "benchmarks/runtime",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "delivery-benchmark",
            dependencies: [
                "Delivery", "PushModel", "PushServices", "Storage", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "benchmarks/delivery",
            swiftSettings: strict
        ),

        // Tests mirror the targets.
        .target(
            name: "TestSupport",
            dependencies: [
                "JavaScriptEngine", "PushModel", "TestClock", .product(name: "BigInt", package: "BigInt"),
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "JavaScriptEngineTests", dependencies: ["JavaScriptEngine"], swiftSettings: strict),
        .testTarget(
            name: "AdapterSyntaxTests",
            dependencies: ["AdapterSyntax", "JavaScriptEngine"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackEndHTTPTests",
            dependencies: [
                "BackEndHTTP", "PushModel", "TestSupport", "WorklightProject",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackEndSQLTests",
            dependencies: [
                "BackEndSQL", "TestSupport", "WorklightProject", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorklightProjectTests", dependencies: ["TestSupport", "WorklightProject"], swiftSettings: strict),
        .testTarget(name: "PushModelTests", dependencies: ["PushModel"], swiftSettings: strict),
        .testTarget(
            name: "AdapterChecksTests",
            dependencies: ["AdapterChecks", "TestSupport", "WorklightProject"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProjectTemplatesTests",
            dependencies: ["AdapterChecks", "AdapterRuntime", "ProjectTemplates", "TestSupport", "WorklightProject"],
            swiftSettings: strict
        ),
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
        .testTarget(
            name: "DeliveryTests",
            dependencies: [
                "Delivery", "PushModel", "Storage", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PushServicesTests",
            dependencies: [
                "Delivery", "PushModel", "PushSandbox", "PushServices", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PushSandboxTests",
            dependencies: [
                "PushModel", "PushSandbox", "TestSupport", "push-sandbox",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LamplighterTestingTests",
            dependencies: [
                "AdapterRuntime", "LamplighterTesting", "PushModel", "TestSupport", "WorklightProject",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdapterTestRunnerTests",
            dependencies: [
                "AdapterRuntime", "AdapterTestRunner", "JavaScriptEngine", "PushModel", "TestSupport",
                "WorklightProject",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdapterRuntimeTests",
            dependencies: [
                "AdapterChecks", "AdapterRuntime", "Delivery", "JavaScriptEngine", "PushModel", "Storage",
                "TestSupport", "Transport", "WorklightProject",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "AdapterRuntime", "CZlib", "Delivery", "Gateway", "PollScheduler", "PushModel", "PushSandbox",
                "PushServices",
                "Authentication", "Storage", "TestSupport", "Tokens",
                "Transport", "WorklightProject",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "BigInt", package: "BigInt"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorklightClientTests",
            dependencies: [
                "AdapterRuntime", "Authentication", "Gateway", "PushModel", "Storage", "TestSupport", "Transport",
                "WorklightClient", "WorklightProject", "native-push",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CredentialsTests",
            dependencies: [
                "BackEndSQL", "Credentials", "TestSupport", "WorklightProject",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TokensTests",
            dependencies: [
                "TestSupport",
                "Tokens",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "BigInt", package: "BigInt"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthenticationTests",
            dependencies: [
                "AdapterRuntime", "Credentials", "PushModel", "Authentication", "Storage", "TestSupport", "Tokens",
                "WorklightProject", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "TestSupport",
                "Transport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LamplighterCommandTests",
            dependencies: [
                "PushModel", "PushSandbox", "Storage", "TestSupport", "lamplighter",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ]
)
