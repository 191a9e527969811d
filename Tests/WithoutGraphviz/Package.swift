// swift-tools-version: 6.2

import PackageDescription

// A package as a user of the library writes it; scripts/test-packages builds it where libgraphviz is not.
let package = Package(
  name: "feed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-signals", path: "../..")],
  targets: [
    .target(name: "Feed", dependencies: [.product(name: "Signals", package: "swift-signals")]),
    .testTarget(
      name: "FeedTests",
      dependencies: ["Feed", .product(name: "SignalTesting", package: "swift-signals")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
