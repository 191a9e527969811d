// swift-tools-version: 6.2

import PackageDescription

// What reads text that people and other programs write, under libFuzzer. A package of its own, as its programs link with the fuzzer alone:
// `scripts/fuzz` builds and runs them.
let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-signals", path: "../..")],
  targets: [
    .target(
      name: "Properties",
      dependencies: [
        .product(name: "SignalGraph", package: "swift-signals"),
        // Brings SignalAttach, whose reader of requests is tried; the next two bring SignalPicture and SignalMarbles.
        .product(name: "SignalInspector", package: "swift-signals"),
        .product(name: "SignalRendering", package: "swift-signals"),
        .product(name: "SignalTesting", package: "swift-signals"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)

// One program for each reader; libFuzzer brings the main function.
for name in [
  "comparisons", "diagrams", "fixtures", "graphs", "marbles", "pictures", "requests", "snapshots", "subscriptions",
] {
  package.targets.append(
    .executableTarget(
      name: "fuzz-\(name)", dependencies: ["Properties"], swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}
