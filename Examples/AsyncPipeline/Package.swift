// swift-tools-version: 6.2

import PackageDescription

// Chains of swift-async-algorithms in the live graph: a package of its own, as no other part of the library needs that package.
let package = Package(
  name: "async-pipeline",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .target(
      name: "Fleet",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "SignalAsync", package: "swift-signals"),
        .product(name: "SignalRecording", package: "swift-signals"),
      ]
    ),
    .executableTarget(
      name: "FleetWatch", dependencies: ["Fleet", .product(name: "SignalInspector", package: "swift-signals")],
      path: "Sources/fleet-watch"),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Fleet",
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalRecording", package: "swift-signals"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
