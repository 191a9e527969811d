// swift-tools-version: 6.2

import PackageDescription

// A package whose author runs services; scripts/test-packages builds it. The trait brings swift-service-lifecycle, which no other user of the library fetches.
let package = Package(
  name: "services",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["ServiceLifecycle"]),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
  ],
  targets: [
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SignalAsync", package: "swift-signals"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalRecording", package: "swift-signals"),
        .product(name: "SignalServices", package: "swift-signals"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
