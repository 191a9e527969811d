// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "swift-signals",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Signals", targets: ["Signals"]),
    .library(name: "SignalTesting", targets: ["SignalTesting"]),
    .library(name: "SignalInspector", targets: ["SignalInspector"]),
    .library(name: "SignalObservability", targets: ["SignalObservability"]),
    .library(name: "SignalSystem", targets: ["SignalSystem"]),
    .library(name: "SignalFoundation", targets: ["SignalFoundation"]),
    .library(name: "SignalCombine", targets: ["SignalCombine"]),
    .library(name: "SignalCombineTesting", targets: ["SignalCombineTesting"]),
    .library(name: "SignalCocoa", targets: ["SignalCocoa"]),
    .library(name: "SignalGraph", targets: ["SignalGraph"]),
    .library(name: "SignalRecording", targets: ["SignalRecording"]),
    .library(name: "SignalAsync", targets: ["SignalAsync"]),
    .library(name: "SignalRendering", targets: ["SignalRendering"]),
    .executable(name: "signal-viz", targets: ["signal-viz"]),
  ],
  traits: [
    .trait(name: "Logging", description: "Lets SignalObservability log. Only with this trait is swift-log fetched."),
    .trait(
      name: "Subprocess",
      description: "Lets SignalSystem run processes. Only with this trait is swift-subprocess fetched."),
    .trait(
      name: "OpenCombine",
      description: "Lets SignalCombine work with OpenCombine. Only with this trait is OpenCombine fetched."),
    .trait(
      name: "ServiceLifecycle",
      description:
        "Lets SignalObservability name services as owners. Only with this trait is swift-service-lifecycle fetched."),
    .trait(
      name: "Metrics",
      description: "Lets SignalObservability report metrics. Only with this trait is swift-metrics fetched."),
    .trait(
      name: "Tracing",
      description: "Lets SignalObservability make spans. Only with this trait is swift-distributed-tracing fetched."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.3.0"),
  ],
  targets: [
    // The wire model, without dependencies on other targets, so every module may depend on it.
    .target(name: "SignalGraph"),
    // Linux's futex calls, which are variadic and so cannot be called from Swift.
    .systemLibrary(name: "CLinux"),
    // The lock of the event path, and the replacement for `Mutex` under Thread Sanitizer.
    .target(
      name: "SignalLocks", dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux, .android]))]),
    // The recorder of the live graph. It does not know signals, so that other pipelines can report to it too.
    .target(
      name: "SignalRecording",
      dependencies: [
        "SignalGraph", "SignalLocks", .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    // Traced `AsyncSequence`s in the live graph, without signals.
    .target(name: "SignalAsync", dependencies: ["SignalRecording"]),
    // Pure functions from one or two snapshots to findings, one file for each rule.
    .target(name: "SignalFindings", dependencies: ["SignalGraph"]),
    // Drawings as text: graphs as DOT and Mermaid, marble diagrams as SVG. Neither the core nor the inspector needs it.
    .target(name: "SignalPicture", dependencies: ["SignalGraph"]),
    // Parses, prints and draws marble diagrams and fixtures. It does not know signals.
    .target(name: "SignalMarbles", dependencies: ["SignalPicture"]),
    // The protocol between inspected programs and `signal-viz`: sockets, requests and responses, and the HTTP server of both.
    .target(name: "SignalAttach", dependencies: ["SignalGraph"]),
    .target(
      name: "Signals",
      dependencies: [
        "SignalGraph", "SignalRecording", "SignalLocks",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),
    // The Swift runtime's hooks for jobs, which only C can access. Only tests use them.
    .target(name: "CTaskHooks"),
    .target(
      name: "SignalTesting",
      dependencies: [
        "CTaskHooks", "SignalFindings", "SignalGraph", "SignalLocks", "SignalMarbles", "SignalPicture", "Signals",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    .target(
      name: "SignalInspector",
      dependencies: ["SignalAttach", "SignalGraph", "Signals"]
    ),
    // Empty without the trait, which fetches swift-log. A trait is needed because SwiftPM cannot publish a nested package, and fetches the
    // dependencies of unused products too.
    .target(
      name: "SignalObservability",
      dependencies: [
        "SignalFindings", "SignalGraph", "SignalRecording", "Signals",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]
    ),
    // Process signals, file descriptors and file changes, without Foundation. The output of child processes needs a trait.
    .target(
      name: "SignalSystem",
      dependencies: [
        "Signals", .target(name: "CEpoll", condition: .when(platforms: [.linux, .android])),
        .product(
          name: "Subprocess", package: "swift-subprocess",
          condition: .when(platforms: [.macOS, .linux], traits: ["Subprocess"])),
      ]
    ),
    // Linux's epoll, which Swift's module of the C library omits.
    .systemLibrary(name: "CEpoll"),
    // Sources for Foundation's objects. Signals itself does not import Foundation.
    .target(name: "SignalFoundation", dependencies: ["SignalSystem", "Signals"]),
    // Empty without Combine, unless the trait adds OpenCombine.
    .target(
      name: "SignalCombine",
      dependencies: [
        "SignalRecording", "Signals", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ]
    ),
    // Marble diagrams for publishers; empty where SignalCombine is. A separate module, so that other tests do not build SignalCombine.
    .target(
      name: "SignalCombineTesting",
      dependencies: [
        "SignalCombine", "SignalTesting", "Signals",
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ]
    ),
    // Thin adapters for Apple's frameworks, over logic that runs on all platforms.
    .target(name: "SignalCocoa", dependencies: ["Signals"]),
    .systemLibrary(
      name: "CGraphviz",
      pkgConfig: "libgvc",
      providers: [.apt(["libgraphviz-dev"]), .brew(["graphviz"])]
    ),
    .target(name: "SignalRendering", dependencies: ["CGraphviz", "SignalGraph", "SignalPicture"]),
    .executableTarget(
      name: "signal-viz",
      dependencies: [
        "CPage", "SignalAttach", "SignalFindings", "SignalGraph", "SignalMarbles", "SignalPicture", "SignalRendering",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    // The live page's files, embedded in `signal-viz`.
    .target(name: "CPage", exclude: ["Files"]),
    .executableTarget(name: "SearchBox", dependencies: ["SignalInspector", "Signals"], path: "Examples/SearchBox"),
    // Three programs that send to each other, for `signal-viz render --every-program`.
    .executableTarget(name: "OrderLine", dependencies: ["SignalInspector", "Signals"], path: "Examples/OrderLine"),
    // Chains with faults, for `signal-viz check`; a test checks that it finds them.
    .executableTarget(name: "Faults", dependencies: ["SignalInspector", "Signals"], path: "Examples/Faults"),
    // The programs of the guides: each has a fault that its guide finds. GuideTests runs them.
    .executableTarget(
      name: "ChatRooms", dependencies: ["SignalInspector", "Signals"], path: "Examples/Guides/ChatRooms"),
    .executableTarget(
      name: "PhotoImport", dependencies: ["SignalInspector", "Signals"], path: "Examples/Guides/PhotoImport"),
    .executableTarget(
      name: "SearchField", dependencies: ["SignalInspector", "Signals"], path: "Examples/Guides/SearchField"),
    .executableTarget(
      name: "ShoppingCart", dependencies: ["SignalInspector", "Signals"], path: "Examples/Guides/ShoppingCart"),
    // Examples of Swift 6 isolation; tests run them.
    .executableTarget(name: "view-model", dependencies: ["Signals"], path: "Examples/ViewModel"),
    .executableTarget(name: "weather-station", dependencies: ["Signals"], path: "Examples/WeatherStation"),
    .executableTarget(name: "word-count", dependencies: ["Signals"], path: "Examples/WordCount"),
    // A program that simulations test; it imports nothing of this package.
    .target(name: "ReplicatedLog", path: "Examples/ReplicatedLog"),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "BuiltPrograms", "ReplicatedLog", "SignalTesting", "Signals", "view-model", "weather-station", "word-count",
      ]),
    // Sample graphs for tests, and the program that writes them as snapshots.
    .target(name: "SampleGraphs", dependencies: ["SignalGraph"], path: "Tests/SampleGraphs"),
    .executableTarget(
      name: "sample-graph", dependencies: ["SampleGraphs", "SignalGraph"], path: "Tests/SampleGraphWriter"),
    // Programs that run the main queue in different ways, and their common code.
    .target(name: "MainQueueTrial", dependencies: ["Signals"], path: "Tests/Programs/MainQueueTrial"),
    .executableTarget(
      name: "main-by-run-loop", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByRunLoop"),
    .executableTarget(
      name: "main-by-dispatch", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByDispatch"),
    .executableTarget(name: "main-by-async", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByAsync"),
    // Locates the built programs for tests.
    .target(name: "BuiltPrograms", path: "Tests/Programs/BuiltPrograms"),
    // Measures the time and memory of a command.
    .executableTarget(name: "measured-run", path: "Tests/Programs/MeasuredRun"),
    // An inspectable program whose tasks all hang.
    .executableTarget(
      name: "hung-tasks", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/HungTasks"),
    // An inspectable program with a given number of nodes.
    .executableTarget(
      name: "many-nodes", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/ManyNodes"),
    // A program with injected faults, for tests of `signal-viz`.
    .executableTarget(
      name: "PlantedFaults", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/PlantedFaults"),
    // The programs of the guides after the fix.
    .executableTarget(
      name: "ChatRoomsMended", dependencies: ["SignalInspector", "Signals"],
      path: "Tests/Programs/ChatRoomsMended"),
    .executableTarget(
      name: "PhotoImportMended", dependencies: ["SignalInspector", "Signals"],
      path: "Tests/Programs/PhotoImportMended"),
    .executableTarget(
      name: "SearchFieldMended", dependencies: ["SignalInspector", "Signals"],
      path: "Tests/Programs/SearchFieldMended"),
    .executableTarget(
      name: "ShoppingCartMended", dependencies: ["SignalInspector", "Signals"],
      path: "Tests/Programs/ShoppingCartMended"),
    .testTarget(
      name: "MainQueueTests",
      dependencies: ["BuiltPrograms", "MainQueueTrial", "main-by-async", "main-by-dispatch", "main-by-run-loop"]),
    // Every operator, once: for the law tests, the leak tests, the fixtures, the stress test and the benchmarks.
    .target(name: "OperatorCatalogue", dependencies: ["SignalTesting", "Signals"], path: "Tests/OperatorCatalogue"),
    .executableTarget(
      name: "stress",
      dependencies: [
        "OperatorCatalogue", "SignalGraph", "SignalRecording", "SignalTesting", "Signals",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Stress"
    ),
    .executableTarget(name: "soak", dependencies: ["SignalTesting", "Signals"], path: "Tests/Soak"),
    .testTarget(name: "SignalGraphTests", dependencies: ["SampleGraphs", "SignalGraph"]),
    .testTarget(name: "SignalRecordingTests", dependencies: ["SignalGraph", "SignalRecording"]),
    .testTarget(name: "SignalAsyncTests", dependencies: ["SignalAsync", "SignalGraph", "SignalRecording", "Signals"]),
    .testTarget(
      name: "SignalFindingsTests",
      dependencies: ["SignalFindings", "SignalGraph", "SignalRecording", "SignalTesting", "Signals"]),
    .testTarget(name: "SignalPictureTests", dependencies: ["SampleGraphs", "SignalGraph", "SignalPicture"]),
    .testTarget(name: "SignalMarblesTests", dependencies: ["SignalMarbles", "SignalPicture"]),
    .testTarget(name: "SignalAttachTests", dependencies: ["SignalAttach", "SignalGraph"]),
    // Shared by tests of the core: logs, threads that start together, counts of live objects.
    .target(name: "Probes", dependencies: ["SignalGraph", "Signals"], path: "Tests/Probes"),
    // The laws and the races, separate from the other tests of the core: they also run on an optimised build and under the sanitizers.
    .testTarget(
      name: "LawTests",
      dependencies: ["OperatorCatalogue", "Probes", "SignalGraph", "SignalRecording", "SignalTesting", "Signals"]),
    .testTarget(
      name: "SignalsTests", dependencies: ["Probes", "SignalGraph", "SignalRecording", "SignalTesting", "Signals"]),
    .testTarget(name: "SignalSystemTests", dependencies: ["SignalSystem", "SignalTesting", "Signals"]),
    .testTarget(name: "SignalFoundationTests", dependencies: ["SignalFoundation", "SignalSystem", "Signals"]),
    .testTarget(name: "SignalCocoaTests", dependencies: ["SignalCocoa", "Signals"]),
    .testTarget(name: "SignalCombineTests", dependencies: ["SignalCombine", "Signals"]),
    .testTarget(name: "RaceSearchTests", dependencies: ["SignalTesting", "Signals"]),
    .testTarget(name: "SpellingTests", dependencies: ["SignalTesting", "Signals"]),
    .testTarget(name: "SignalTestingTests", dependencies: ["OperatorCatalogue", "SignalTesting", "Signals"]),
    .testTarget(
      name: "SignalInspectorTests",
      dependencies: ["BuiltPrograms", "SignalAttach", "SignalGraph", "SignalInspector", "hung-tasks"]
    ),
    .testTarget(
      name: "SignalRenderingTests", dependencies: ["SampleGraphs", "SignalGraph", "SignalPicture", "SignalRendering"]),
    .testTarget(
      name: "SignalVizTests",
      dependencies: [
        "BuiltPrograms", "Faults", "OrderLine", "PlantedFaults", "SampleGraphs", "SearchBox", "SignalAttach",
        "SignalFindings", "SignalGraph",
        "SignalInspector", "SignalMarbles", "SignalPicture", "many-nodes", "measured-run", "signal-viz",
      ]
    ),
    // Runs each guide step by step.
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "BuiltPrograms", "ChatRooms", "ChatRoomsMended", "PhotoImport", "PhotoImportMended", "SearchField",
        "SearchFieldMended", "ShoppingCart", "ShoppingCartMended", "SignalTesting", "Signals", "signal-viz",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Only for one benchmark: the cost of the library without the live graph. See `scripts/bench`.
if Context.environment["SIGNALS_WITHOUT_GRAPH"] == "1" {
  for target in package.targets where ["SignalRecording", "Signals"].contains(target.name) {
    target.swiftSettings = [.define("SIGNALS_WITHOUT_GRAPH")]
  }
}

// Only for test variants, such as those under a sanitizer: the test targets to build. See `scripts/lib/suites.sh`.
if let names = Context.environment["SIGNALS_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Only for `scripts/docs`: with all traits.
if Context.environment["SIGNALS_DOCUMENTATION"] == "1" {
  package.traits.insert(
    .default(enabledTraits: ["Logging", "Metrics", "OpenCombine", "ServiceLifecycle", "Subprocess", "Tracing"]))
}

for target in package.targets where target.type != .system {
  var settings = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
  ]
  target.swiftSettings = settings
}
