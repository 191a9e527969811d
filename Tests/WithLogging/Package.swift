// swift-tools-version: 6.2

import PackageDescription

// A package whose author wants the logs; scripts/test-packages builds it. The trait brings swift-log, which no other user of the library fetches.
let package = Package(
  name: "downloads",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["Logging"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
  ],
  targets: [
    .target(
      name: "Downloads",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SignalLogging", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "DownloadsTests",
      dependencies: [
        "Downloads",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SignalLogging", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
