// swift-tools-version: 6.2

import PackageDescription

// A package whose author uses OpenCombine; scripts/test-packages builds it. The trait brings OpenCombine, which no other user of the library fetches.
// What is tested is the code that Combine's users get, too.
let package = Package(
  name: "bridges",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["OpenCombine"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "SignalCombine", package: "swift-signals"),
        .product(name: "SignalCombineTesting", package: "swift-signals"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
