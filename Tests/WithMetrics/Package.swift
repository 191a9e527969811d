// swift-tools-version: 6.2

import PackageDescription

// A package whose author has a collector of metrics; scripts/test-packages builds it. The trait brings swift-metrics, which no other user of the library fetches.
let package = Package(
  name: "with-metrics",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["Metrics"]),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
  ],
  targets: [
    .testTarget(
      name: "MetricsTests",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "SignalFindings", package: "swift-signals"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalMetrics", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
