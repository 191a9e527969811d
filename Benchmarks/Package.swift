// swift-tools-version: 6.2

import PackageDescription

// A package of its own: the peers and the tools of the benchmarks never reach users of the library.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-signals", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .target(name: "CAllocationCounter"),
    .target(name: "Limits"),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CAllocationCounter", "Limits",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
