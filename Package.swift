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

/// The C library's eventfd(2) is replaced (see DescriptorReserve.swift). A symbol with a version is not exported by itself.
let exportsEventDescriptors: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=eventfd"])]

/// For targets with scripts, templates or pages: their texts are the constants of `EmbeddedText`.
let embedText = Target.PluginUsage.plugin(name: "EmbedText")

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
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .plugin(name: "EmbedText", capability: .buildTool(), exclude: ["embed-text"]),
        .plugin(name: "EmbedCommit", capability: .buildTool(), exclude: ["embed-commit"]),

        // The engine: JavaScriptCore's C API and a safe Swift face on it.
        .systemLibrary(
            name: "CJavaScriptCore", path: "Sources/C/CJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .target(name: "CEngineMemory", path: "Sources/C/CEngineMemory"),
        .target(name: "CFatalSignals", path: "Sources/C/CFatalSignals"),
        .target(
            name: "JavaScriptEngine", dependencies: ["CEngineMemory", "CJavaScriptCore", .nioConcurrencyHelpers],
            plugins: [embedText]),

        // What a script says, and what the engine needs said otherwise.
        .target(name: "AdapterSyntax", plugins: [embedText]),

        // What every module may use: JSON, encodings, time, waiting, metrics, traces. It knows nothing of push.
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Core",
            dependencies: ["CZlib", .coreMetrics, .crypto, .logging, .nioConcurrencyHelpers, .serviceContext, .tracing]),
        .target(
            name: "PushModel",
            dependencies: ["Core", .crypto]),
        .systemLibrary(
            name: "CCurl", path: "Sources/C/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "HTTPTransfer", dependencies: ["CCurl"]),

        // A project's folder, read and checked.
        .target(name: "WorklightProject"),

        // What adapters reach over HTTP, and how its answers become JSON.
        .systemLibrary(
            name: "CBrotli", path: "Sources/C/CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(
            name: "CLibXML", path: "Sources/C/CLibXML", pkgConfig: "libexslt",
            providers: [.apt(["libxml2-dev", "libxslt1-dev"])]),
        .target(
            name: "BackEndHTTP",
            dependencies: [
                "CBrotli", "CCurl", "CLibXML", "Core", "HTTPTransfer", "WorklightProject", .crypto, .nioHTTP1, .nioSSL,
            ]),

        // The databases that adapters reach.
        .systemLibrary(
            name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/C/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CODBC", path: "Sources/C/CODBC", pkgConfig: "odbc", providers: [.apt(["unixodbc-dev"])]),
        .target(
            name: "Databases",
            dependencies: ["CODBC", "Core", "CPostgres", "CSQLite", "WorklightProject", .crypto, .grdbSQLite, .logging]),

        // What an adapter touches, and what runs it.
        .target(
            name: "AdapterRuntime",
            dependencies: [
                "AdapterSyntax", "BackEndHTTP", "Core", "Databases", "JavaScriptEngine", "PushModel",
                "WorklightProject", .coreMetrics, .logging, .nioConcurrencyHelpers, .nioPosix, .tracing,
            ], plugins: [embedText]),
        // What will bite in an adapter, told from its text.
        .target(
            name: "AdapterChecks", dependencies: ["AdapterSyntax", "Core", "Push", "PushModel", "WorklightProject"]),
        .target(name: "ProjectTemplates", plugins: [embedText]),
        // Archives of the original's tools, made into a project's folder.
        .systemLibrary(
            name: "CArchive", path: "Sources/C/CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]
        ),
        .target(name: "ProjectImport", dependencies: ["CArchive", "Core", "WorklightProject"]),
        .target(name: "Storage", dependencies: ["Core", "Databases", "PushModel", .coreMetrics, .grdb, .grdbSQLite]),
        // Devices and subscriptions of another server, from its database's exports.
        .target(
            name: "SubscriptionImport", dependencies: ["Core", "PushModel", .grdb, .grdbSQLite, .yams]),
        .target(name: "PollScheduler", dependencies: ["Core", "PushModel", .coreMetrics, .logging]),

        // Adapters under test: from Swift, and from JavaScript for the command line.
        .target(
            name: "LamplighterTesting",
            dependencies: [
                "AdapterRuntime", "AdapterSyntax", "Authentication", "BackEndHTTP", "Core", "Databases",
                "JavaScriptEngine", "PollScheduler", "Push", "PushModel", "Storage", "WorklightProject", .logging,
            ]),

        .target(
            name: "AdapterTestRunner",
            dependencies: [
                "AdapterRuntime", "AdapterSyntax", "Core", "JavaScriptEngine", "LamplighterTesting", "PushModel",
                "WorklightProject", .logging,
            ],
            plugins: [embedText]),

        // The push services, and a stand-in for them.
        .systemLibrary(
            name: "COpenSSL", path: "Sources/C/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "Push",
            dependencies: [
                "COpenSSL", "Core", "HTTPTransfer", "PushModel", "WorklightProject", .coreMetrics, .crypto, .jwtKit,
                .logging, .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL, .nioTLS, .serviceContext,
                .swiftASN1, .tracing, .x509,
            ]),
        .target(
            name: "PushSandbox",
            dependencies: [
                "Core", .crypto, .cryptoExtras, .jwtKit, .logging, .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix,
                .nioSSL, .nioTLS, .swiftASN1, .x509,
            ], plugins: [embedText]),
        .executableTarget(
            name: "push-sandbox",
            dependencies: ["PushSandbox", .argumentParser, .logging, .serviceLifecycle, .unixSignals]),

        // Who may reach what: passwords, tokens, realms and sessions.
        .systemLibrary(
            name: "CArgon2", path: "Sources/C/CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(
            name: "CCrypt", path: "Sources/C/CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CLDAP", path: "Sources/C/CLDAP", pkgConfig: "ldap", providers: [.apt(["libldap2-dev"])]),
        .target(
            name: "Credentials",
            dependencies: ["CArgon2", "CCrypt", "CLDAP", "COpenSSL", "Core", "Databases", "WorklightProject", .logging]),
        .target(
            name: "Tokens",
            dependencies: ["COpenSSL", "Core", "HTTPTransfer", .crypto, .cryptoExtras, .swiftASN1, .x509]),
        .target(
            name: "Authentication",
            dependencies: [
                "AdapterRuntime", "Core", "Credentials", "PushModel", "Tokens", "WorklightProject", .crypto, .logging,
            ]),

        // What the server listens with.
        .target(
            name: "HTTPServer",
            dependencies: [
                "Core", .httpTypes, .hummingbirdCore, .logging, .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2,
                .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioSSL, .nioTLS, .serviceLifecycle,
            ]),

        // The other end: what applications are written with. It imports nothing of the server.
        .target(
            name: "WorklightClient",
            dependencies: [
                "CZlib", .target(name: "HTTPTransfer", condition: .when(platforms: [.linux])),
            ]),

        .executableTarget(
            name: "native-push",
            dependencies: ["HTTPTransfer", "WorklightClient"],
            path: "examples/NativePush",
            exclude: ["README.md", "project", "worklight.plist"]),

        // What swift-metrics records, as text for Prometheus.
        .target(name: "PrometheusExporter", dependencies: [.coreMetrics]),
        .target(
            name: "OTLPExporter", dependencies: ["Core", "HTTPTransfer", .coreMetrics, .logging, .tracing]),

        // The server and its command line.
        .systemLibrary(name: "CTimex", path: "Sources/C/CTimex"),
        .systemLibrary(
            name: "CLibEdit", path: "Sources/C/CLibEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),

        // What is opened: the store, the adapters, the worker of deliveries, sessions and accounts, with the settings of all.
        .target(
            name: "Installation",
            dependencies: [
                "AdapterRuntime", "Authentication", "Core", "Credentials", "CTimex", "Databases", "HTTPServer",
                "JavaScriptEngine", "OTLPExporter", "PollScheduler", "PrometheusExporter", "Push", "PushModel",
                "Storage", "Tokens", "WorklightProject", .coreMetrics, .crypto, .httpTypes, .logging, .serviceContext,
                .yams,
            ]),

        // What apps and back ends say to a server.
        .target(
            name: "ClientProtocol",
            dependencies: [
                "AdapterRuntime", "Authentication", "Core", "Credentials", "HTTPServer", "Installation", "Push",
                "PushModel", "Storage", "Tokens", "WorklightProject", .httpTypes, .hummingbird, .logging, .nioCore,
            ], plugins: [embedText]),

        // The management API and the console.
        .target(
            name: "Management",
            dependencies: [
                "AdapterRuntime", "Authentication", "Core", "Credentials", "Installation", "PollScheduler", "Push",
                "PushModel", "Storage", "WorklightProject", .crypto, .httpTypes, .hummingbird, .logging, .mustache,
                .nioCore,
            ], plugins: [embedText]),

        // The ports, the routes, and the order of start and stop.
        .target(
            name: "Server",
            dependencies: [
                "AdapterRuntime", "Authentication", "ClientProtocol", "Core", "HTTPServer", "Installation",
                "JavaScriptEngine", "Management", "OTLPExporter", "PollScheduler", "PrometheusExporter", "Push",
                "PushModel", "Storage",
                "Tokens", "WorklightProject", .httpTypes, .hummingbird, .logging, .nioCore, .nioFoundationCompat,
                .nioPosix, .serviceContext, .serviceLifecycle, .tracing, .unixSignals,
            ]),
        .executableTarget(
            name: "lamplighter",
            dependencies: [
                "AdapterChecks", "AdapterRuntime", "AdapterSyntax", "AdapterTestRunner", "CArchive", "CFatalSignals",
                "CLibEdit", "Core",
                "HTTPServer", "HTTPTransfer", "Installation", "JavaScriptEngine", "Management", "ProjectImport",
                "ProjectTemplates",
                "Push", "PushModel", "Server", "Storage", "SubscriptionImport", "WorklightProject", .argumentParser,
                .crypto, .logging, .nioCore, .nioPosix, .nioSSL, .yams,
            ],
            linkerSettings: exportsEventDescriptors, plugins: [.plugin(name: "EmbedCommit")]),

        // Measured by hand, in a release build.
        .executableTarget(
            name: "runtime-benchmark",
            dependencies: [
                "AdapterRuntime", "AdapterSyntax", "BackEndHTTP", "CJavaScriptCore", "CLibXML", "Core", "CPostgres",
                "Databases",
                "JavaScriptEngine", "PrometheusExporter", "PushModel", "Storage", "WorklightProject", .coreMetrics,
                .grdbSQLite, .hummingbird, .logging,
            ],
            path: "benchmarks/runtime", linkerSettings: exportsEventDescriptors),
        .executableTarget(
            name: "delivery-benchmark",
            dependencies: ["Core", "Push", "PushModel", "Storage", "WorklightProject", .grdbSQLite, .logging],
            path: "benchmarks/delivery"),

        // Tests mirror the targets.
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "Core", "JavaScriptEngine", .crypto, .logging, .nioCore, .nioHPACK, .nioPosix, .nioSSL,
            ],
            path: "Tests/TestSupport", exclude: ["Certificates"]),
        .testTarget(
            name: "JavaScriptEngineTests", dependencies: ["CEngineMemory", "JavaScriptEngine", "TestSupport"]),
        .testTarget(name: "AdapterSyntaxTests", dependencies: ["AdapterSyntax", "JavaScriptEngine", "TestSupport"]),
        .testTarget(
            name: "BackEndHTTPTests",
            dependencies: [
                "BackEndHTTP", "Core", "TestSupport", "WorklightProject", .logging, .nioCore, .nioPosix, .nioSSL,
            ]),
        .testTarget(
            name: "DatabasesTests",
            dependencies: ["Core", "Databases", "TestSupport", "WorklightProject", .logging]),
        .testTarget(name: "HTTPTransferTests", dependencies: ["HTTPTransfer", "TestSupport", .nioSSL]),
        .testTarget(name: "WorklightProjectTests", dependencies: ["TestSupport", "WorklightProject"]),
        .testTarget(name: "CoreTests", dependencies: ["Core", "TestSupport", .logging]),
        .testTarget(name: "PushModelTests", dependencies: ["Core", "PushModel", "TestSupport", .logging]),
        .testTarget(
            name: "AdapterChecksTests",
            dependencies: ["AdapterChecks", "AdapterRuntime", "Installation", "TestSupport", "WorklightProject"]),
        .testTarget(
            name: "ProjectImportTests",
            dependencies: ["CArchive", "Core", "ProjectImport", "TestSupport", "WorklightProject"]),
        .testTarget(
            name: "SubscriptionImportTests",
            dependencies: ["Core", "PushModel", "Storage", "SubscriptionImport", "TestSupport"]),
        .testTarget(
            name: "ProjectTemplatesTests",
            dependencies: ["AdapterChecks", "AdapterRuntime", "ProjectTemplates", "TestSupport", "WorklightProject"]),
        .testTarget(name: "PrometheusExporterTests", dependencies: ["PrometheusExporter", .coreMetrics]),
        .testTarget(
            name: "OTLPExporterTests",
            dependencies: ["Core", "OTLPExporter", "TestSupport", .coreMetrics, .logging, .tracing]),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Core", "Databases", "PrometheusExporter", "PushModel", "Storage", "TestSupport", .grdb],
            exclude: ["Versions"]),
        .testTarget(
            name: "PollSchedulerTests",
            dependencies: ["Core", "PollScheduler", "PrometheusExporter", "PushModel", "TestSupport", .logging]),
        .target(name: "PKCS12Files", dependencies: ["COpenSSL"], path: "Tests/PKCS12Files"),
        .testTarget(
            name: "PushTests",
            dependencies: [
                "Core", "HTTPTransfer", "PKCS12Files", "Push", "PushModel", "PushSandbox", "Storage", "TestSupport",
                .crypto, .jwtKit, .logging, .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL,
            ]),
        .testTarget(
            name: "PushSandboxTests",
            dependencies: [
                "Core", "HTTPTransfer", "push-sandbox", "PushSandbox", "TestSupport", .crypto, .jwtKit, .logging,
                .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL,
            ]),
        .testTarget(
            name: "LamplighterTestingTests",
            dependencies: [
                "AdapterRuntime", "Core", "LamplighterTesting", "PushModel", "TestSupport", "WorklightProject",
            ]),
        .testTarget(
            name: "AdapterTestRunnerTests",
            dependencies: [
                "AdapterRuntime", "AdapterTestRunner", "JavaScriptEngine", "TestSupport", "WorklightProject",
            ]),
        .testTarget(
            name: "AdapterRuntimeTests",
            dependencies: [
                "AdapterRuntime", "AdapterSyntax", "BackEndHTTP", "Core", "Databases", "JavaScriptEngine", "Push",
                "PushModel", "Storage", "TestSupport", "WorklightProject", .logging,
            ]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "AdapterRuntime", "Authentication", "BackEndHTTP", "ClientProtocol", "Core", "CZlib", "HTTPServer",
                "HTTPTransfer", "Installation", "JavaScriptEngine", "Management", "PollScheduler", "PrometheusExporter",
                "Push", "PushModel", "PushSandbox", "Server", "Storage", "TestSupport", "Tokens", "WorklightProject",
                .crypto, .httpTypes, .hummingbird, .logging, .nioCore, .nioHTTP1, .nioSSL, .serviceLifecycleTestKit,
            ]),
        .testTarget(
            name: "WorklightClientTests",
            dependencies: [
                "AdapterRuntime", "Authentication", "Core", "HTTPServer", "Installation", "native-push", "PushModel",
                "Server", "Storage", "TestSupport", "WorklightClient", "WorklightProject", .logging,
            ]),
        .testTarget(
            name: "CredentialsTests",
            dependencies: ["Credentials", "Databases", "TestSupport", "WorklightProject", .logging]),
        .testTarget(
            name: "TokensTests",
            dependencies: ["Core", "TestSupport", "Tokens", .crypto, .cryptoExtras, .swiftASN1, .x509]),
        .testTarget(
            name: "AuthenticationTests",
            dependencies: [
                "AdapterRuntime", "Authentication", "Core", "Credentials", "PushModel", "Storage", "TestSupport",
                "Tokens", "WorklightProject", .logging,
            ]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "Core", "HTTPServer", "TestSupport", .httpTypes, .hummingbird, .hummingbirdCore, .logging, .nioCore,
                .nioEmbedded, .nioHPACK, .nioHTTP1, .nioHTTPTypes, .nioPosix, .nioSSL, .serviceLifecycle,
            ]),
        // With `lamplighter`, the tests' program has its linker settings: all tests need the exported symbol.
        .testTarget(
            name: "LamplighterCommandTests",
            dependencies: ["Core", "lamplighter", "PushModel", "PushSandbox", "Storage", "TestSupport", .logging]),
    ]
)

for target in package.targets where ![.plugin, .system].contains(target.type) { target.swiftSettings = strict }

/// Products of other packages.
extension Target.Dependency {
    static let argumentParser: Self = .product(name: "ArgumentParser", package: "swift-argument-parser")
    static let coreMetrics: Self = .product(name: "CoreMetrics", package: "swift-metrics")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite: Self = .product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore: Self = .product(name: "HummingbirdCore", package: "hummingbird")
    static let jwtKit: Self = .product(name: "JWTKit", package: "jwt-kit")
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let mustache: Self = .product(name: "Mustache", package: "swift-mustache")
    static let nioConcurrencyHelpers: Self = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio")
    static let nioFoundationCompat: Self = .product(name: "NIOFoundationCompat", package: "swift-nio")
    static let nioHPACK: Self = .product(name: "NIOHPACK", package: "swift-nio-http2")
    static let nioHTTP1: Self = .product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTP2: Self = .product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioHTTPTypes: Self = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP1: Self = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS: Self = .product(name: "NIOTLS", package: "swift-nio")
    static let serviceContext: Self = .product(name: "ServiceContextModule", package: "swift-service-context")
    static let serviceLifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let serviceLifecycleTestKit: Self = .product(
        name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
    static let swiftASN1: Self = .product(name: "SwiftASN1", package: "swift-asn1")
    static let tracing: Self = .product(name: "Tracing", package: "swift-distributed-tracing")
    static let unixSignals: Self = .product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let x509: Self = .product(name: "X509", package: "swift-certificates")
    static let yams: Self = .product(name: "Yams", package: "Yams")
}
