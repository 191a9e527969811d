// swift-tools-version: 6.2

import PackageDescription

// A package whose author runs child processes; scripts/test-packages builds it. The trait brings swift-subprocess, which no other user of the library
// fetches.
let package = Package(
  name: "builds",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["Subprocess"]),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    .target(
      name: "Builds",
      dependencies: [
        .product(name: "SignalSubprocess", package: "swift-signals"),
        .product(name: "SignalSystem", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    .testTarget(
      name: "BuildsTests",
      dependencies: [
        "Builds",
        .product(name: "SignalSubprocess", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
