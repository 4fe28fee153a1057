// swift-tools-version: 6.2
import PackageDescription

/// Code of StoreKit 2 compiles without a warning.
func strict(_ mode: SwiftLanguageMode) -> [SwiftSetting] {
    [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)]
}

// Ordinary client code of StoreKit, in the manner of Apple's guides and of the libraries around it,
// in a package of its own as an app would be. What matters is that it compiles.
let package = Package(
    name: "StoreKitSourceTests",
    dependencies: [.package(name: "bodega", path: "../..")],
    targets: [
        .target(
            name: "ClassicClient", dependencies: [.product(name: "StoreKit", package: "bodega")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "ModernClient", dependencies: [.product(name: "StoreKit", package: "bodega")],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "EntitlementClient",
            dependencies: [.product(name: "StoreKit", package: "bodega")],
            swiftSettings: strict(.v5)),
        .target(
            name: "ActorClient", dependencies: [.product(name: "StoreKit", package: "bodega")],
            swiftSettings: strict(.v6)),
        .target(
            name: "OwnNamesClient", dependencies: [.product(name: "StoreKit", package: "bodega")],
            swiftSettings: strict(.v6)),
        .testTarget(
            name: "ClassicClientTests", dependencies: ["ClassicClient"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ModernClientTests", dependencies: ["ModernClient"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "EntitlementClientTests", dependencies: ["EntitlementClient"],
            swiftSettings: strict(.v5)),
        .testTarget(
            name: "ActorClientTests", dependencies: ["ActorClient", "OwnNamesClient"],
            swiftSettings: strict(.v6)),
        .testTarget(
            name: "SessionClientTests",
            dependencies: [.product(name: "StoreKitTest", package: "bodega")],
            resources: [.copy("Products.storekit")], swiftSettings: strict(.v5)),
    ]
)
