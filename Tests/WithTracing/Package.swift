// swift-tools-version: 6.2

import PackageDescription

// A package whose author has a tracer; scripts/test-packages builds it. The trait brings swift-distributed-tracing, which no other user of the library fetches.
let package = Package(
  name: "with-tracing",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../..", traits: ["Tracing"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    .testTarget(
      name: "TracingTests",
      dependencies: [
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "SignalTracing", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
