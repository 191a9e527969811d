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
    .target(
      name: "Measuring",
      dependencies: [
        "CAllocationCounter", "Limits",
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    // Modules of their own, so that what they do with the library does not change what the compiler makes of the rows.
    .target(name: "Curves", dependencies: ["Measuring", .product(name: "Signals", package: "swift-signals")]),
    // The catalogue of the library's tests. It is no product of the library, so its folder is linked from there.
    .target(
      name: "OperatorCatalogue",
      dependencies: [
        .product(name: "SignalTesting", package: "swift-signals"), .product(name: "Signals", package: "swift-signals"),
      ],
      // As in the library.
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InferIsolatedConformances"),
      ]
    ),
    .target(
      name: "OperatorCosts",
      dependencies: [
        "CAllocationCounter", "Measuring", "OperatorCatalogue", .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    // What was measured, as it stands in files.
    .target(name: "Results", dependencies: ["Measuring", "OperatorCosts"]),
    // Whole programs, and what the live graph costs them.
    .target(
      name: "WholeProgram",
      dependencies: [
        "Measuring", "Results",
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalInspector", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ]
    ),
    // Makes what people read of those files.
    .executableTarget(
      name: "BenchPage",
      dependencies: [
        "Curves", "Measuring", "OperatorCatalogue", "OperatorCosts", "Results",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    // Measures, and writes those files.
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CAllocationCounter", "Curves", "Limits", "Measuring", "OperatorCatalogue", "OperatorCosts", "Results",
        "WholeProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "SignalGraph", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
        .product(name: "Signals", package: "swift-signals"),
      ],
      // Handlers of different rows that happen to be the same code stay what a user's are: functions of their own, not ways to a common one.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-llvm-merge-functions-pass"])]
    ),
  ],
  swiftLanguageModes: [.v6]
)
