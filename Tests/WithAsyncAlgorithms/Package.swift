// swift-tools-version: 6.2

import PackageDescription

// Code that knows nothing of this library, in virtual time: chains of swift-async-algorithms.
let package = Package(
  name: "with-async-algorithms",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "SignalAsync", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
