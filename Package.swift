// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Of our libraries: without optimisation the tests, and whole worlds of devices, take several times as long.
///
/// Only where the tests ask for it, as a package with such flags is nothing to depend on.
let ofLibrary: [SwiftSetting] =
    Context.environment["LOCKBOOK_OPTIMISED"] == nil
    ? settings
    : settings + [
        .unsafeFlags(["-O", "-wmo", "-num-threads", "2"], .when(configuration: .debug))
    ]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioFoundation = Target.Dependency.product(name: "NIOFoundationCompat", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "lockbook",
    products: [
        .library(name: "LockbookEngine", targets: ["LockbookEngine"]),
        .executable(name: "lockbook", targets: ["lockbook"]),
        .executable(name: "lockbook-server", targets: ["lockbook-server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]
        ),
        // Their types alone: what needs them loads the libraries, see shim.h.
        .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
        // For tests alone: the second implementation of every format.
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .target(name: "LockbookCrypto", dependencies: [crypto, "CZstd"], swiftSettings: ofLibrary),
        .target(name: "LockbookModel", dependencies: ["LockbookCrypto"], swiftSettings: ofLibrary),
        .target(
            name: "LockbookAPI",
            dependencies: [
                "LockbookModel", httpTypes,
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["lockbook.proto"],
            swiftSettings: ofLibrary
        ),
        .target(
            name: "LockbookEngine",
            dependencies: [
                "CArchive", "CLinux", "CPCRE2", "CSQLite", "LockbookAPI", "LockbookModel",
                "LockbookCrypto", "LockbookProcess", grdb,
                nioCore, nioHTTP, nioPosix, nioSSL, nioTLS, httpTypes,
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: ofLibrary
        ),
        .target(name: "LockbookProcess", swiftSettings: ofLibrary),
        .executableTarget(
            name: "lockbook",
            dependencies: [
                "CLinux", "CQREncode", "CReadline", "LockbookEngine", "LockbookProcess", arguments,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LockbookServer",
            dependencies: [
                "CSQLite", "LockbookAPI", "LockbookModel", "LockbookCrypto", grdb, nioCore,
                nioFoundation, nioHTTP, nioHTTPTypes, nioSSL, httpTypes, logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
            ],
            swiftSettings: ofLibrary
        ),
        .executableTarget(
            name: "lockbook-server",
            dependencies: ["LockbookProcess", "LockbookServer", arguments, logging, nioCore],
            swiftSettings: settings
        ),
        .target(
            name: "SecondImplementation",
            dependencies: ["COpenSSL", "CZstd"],
            path: "Tests/SecondImplementation",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LockbookCryptoTests",
            dependencies: ["LockbookCrypto", "SecondImplementation", crypto],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LockbookFormatTests",
            dependencies: [
                "LockbookAPI", "LockbookModel", "LockbookCrypto", "SecondImplementation",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TreeSpace",
            dependencies: ["LockbookModel", "LockbookCrypto"],
            path: "Tests/TreeSpace",
            swiftSettings: ofLibrary
        ),
        .executableTarget(
            name: "tree-space",
            dependencies: ["TreeSpace"],
            path: "Tests/TreeSpaceRun",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LockbookModelTests",
            dependencies: ["LockbookModel", "LockbookCrypto", "TreeSpace"],
            swiftSettings: settings
        ),
        // For tests alone: merges thousands of cases in one process.
        .executableTarget(
            name: "merge-tool",
            dependencies: ["LockbookModel"],
            path: "Tests/MergeTool",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LockbookServerTests",
            dependencies: [
                "LockbookServer", "LockbookAPI", "LockbookModel", "LockbookCrypto", grdb, nioCore,
                nioFoundation, nioHTTP, nioHTTPTypes, httpTypes, logging,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LockbookTestSupport",
            dependencies: [
                "LockbookEngine", "LockbookServer", "LockbookAPI", grdb, httpTypes, logging,
                nioCore,
            ],
            path: "Tests/LockbookTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LockbookEngineTests",
            dependencies: [
                "CLinux", "CSQLite", "LockbookEngine", "LockbookServer", "LockbookAPI",
                "LockbookModel", "LockbookCrypto", "LockbookTestSupport",
                grdb,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: settings
        ),
        // For tests alone: files of SQLite in memory, of which a crash drops what was not synced.
        .target(
            name: "SimulatedDisk",
            path: "Tests/SimulatedDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "Simulator",
            dependencies: [
                "LockbookEngine", "LockbookServer", "LockbookAPI", "LockbookModel",
                "LockbookCrypto", "SimulatedDisk", grdb, httpTypes, logging, nioCore,
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            path: "Tests/Simulator",
            exclude: ["plant"],
            swiftSettings: ofLibrary
        ),
        .executableTarget(
            name: "simulate",
            dependencies: ["Simulator"],
            path: "Tests/SimulatorRun",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulatorTests",
            dependencies: ["Simulator"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "LockbookProcess", "LockbookServer", "lockbook", "lockbook-server", arguments,
            ],
            exclude: ["Scripts", "embed-completions"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
