// swift-tools-version: 6.2

import PackageDescription

// A server of Hummingbird whose chains show in its metrics and traces. Its packages take minutes to build: `scripts/test --everything` tests it.
let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["Metrics", "ServiceLifecycle", "Tracing"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
  ],
  targets: [
    .target(
      name: "Prices",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .executableTarget(
      name: "PriceServer",
      dependencies: [
        "Prices",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "SignalInspector", package: "swift-signals"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Sources/price-server"),
    .testTarget(
      name: "PricesTests",
      dependencies: [
        "Prices",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "SignalRecording", package: "swift-signals"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
