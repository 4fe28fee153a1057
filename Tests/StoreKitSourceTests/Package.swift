// swift-tools-version: 6.2
import PackageDescription

// Ordinary client code of StoreKit 1, in the manner of Apple's guide and of the libraries around
// it, in a package of its own as an app would be. What matters is that it compiles.
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
        .testTarget(
            name: "ClassicClientTests", dependencies: ["ClassicClient"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ModernClientTests", dependencies: ["ModernClient"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
