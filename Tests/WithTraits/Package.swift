// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "with-traits",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "swift-signals", path: "../..",
      traits: ["Logging", "Metrics", "OpenCombine", "ServiceLifecycle", "Subprocess", "Tracing"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "SignalAsync", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "SignalCombine", package: "swift-signals"),
        .product(name: "SignalCombineTesting", package: "swift-signals"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    .target(
      name: "Builds",
      dependencies: [
        .product(name: "SignalSystem", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    .testTarget(
      name: "BuildsTests",
      dependencies: [
        "Builds",
        .product(name: "SignalSystem", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    .target(
      name: "Downloads",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "DownloadsTests",
      dependencies: [
        "Downloads",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "MetricsTests",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SignalAsync", package: "swift-signals"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalRecording", package: "swift-signals"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
      ]
    ),
    .testTarget(
      name: "TracingTests",
      dependencies: [
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "SignalObservability", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
