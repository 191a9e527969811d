// swift-tools-version: 6.2

import PackageDescription

// Tests that fail, as a user of the library writes them; scripts/test-failures checks that each does, where it should.
let package = Package(
  name: "must-fail",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-signals", path: "../..")],
  targets: [
    .target(
      name: "FaultyOperators",
      dependencies: [.product(name: "SignalTesting", package: "swift-signals")],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]
    ),
    .testTarget(
      name: "SwiftTestingTests",
      dependencies: ["FaultyOperators", .product(name: "SignalTesting", package: "swift-signals")]
    ),
    .testTarget(
      name: "XCTestTests",
      dependencies: ["FaultyOperators", .product(name: "SignalTesting", package: "swift-signals")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
