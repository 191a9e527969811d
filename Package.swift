// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "swift-signals",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Signals", targets: ["Signals"]),
    .library(name: "SignalTesting", targets: ["SignalTesting"]),
    .library(name: "SignalMarbles", targets: ["SignalMarbles"]),
    .library(name: "SignalInspector", targets: ["SignalInspector"]),
    .library(name: "SignalLogging", targets: ["SignalLogging"]),
    .library(name: "SignalSystem", targets: ["SignalSystem"]),
    .library(name: "SignalFoundation", targets: ["SignalFoundation"]),
    .library(name: "SignalSubprocess", targets: ["SignalSubprocess"]),
    .library(name: "SignalCombine", targets: ["SignalCombine"]),
    .library(name: "SignalCombineTesting", targets: ["SignalCombineTesting"]),
    .library(name: "SignalCocoa", targets: ["SignalCocoa"]),
    .library(name: "SignalGraph", targets: ["SignalGraph"]),
    .library(name: "SignalRecording", targets: ["SignalRecording"]),
    .library(name: "SignalAsync", targets: ["SignalAsync"]),
    .library(name: "SignalServices", targets: ["SignalServices"]),
    .library(name: "SignalMetrics", targets: ["SignalMetrics"]),
    .library(name: "SignalTracing", targets: ["SignalTracing"]),
    .library(name: "SignalFindings", targets: ["SignalFindings"]),
    .library(name: "SignalPicture", targets: ["SignalPicture"]),
    .library(name: "SignalAttach", targets: ["SignalAttach"]),
    .library(name: "SignalRendering", targets: ["SignalRendering"]),
    .executable(name: "signal-viz", targets: ["signal-viz"]),
  ],
  traits: [
    .trait(name: "Logging", description: "Lets SignalLogging log. Only with this trait is swift-log fetched."),
    .trait(
      name: "Subprocess",
      description: "Lets SignalSubprocess run processes. Only with this trait is swift-subprocess fetched."),
    .trait(
      name: "OpenCombine",
      description: "Lets SignalCombine work with OpenCombine. Only with this trait is OpenCombine fetched."),
    .trait(
      name: "ServiceLifecycle",
      description:
        "Lets SignalServices name services as owners. Only with this trait is swift-service-lifecycle fetched."),
    .trait(
      name: "Metrics", description: "Lets SignalMetrics report. Only with this trait is swift-metrics fetched."),
    .trait(
      name: "Tracing",
      description: "Lets SignalTracing make spans. Only with this trait is swift-distributed-tracing fetched."),
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
    // The wire model. It imports nothing, so that every other room may import it.
    .target(name: "SignalGraph"),
    // Linux's calls for threads that wait, which take any number of arguments and so cannot be made from Swift.
    .systemLibrary(name: "CLinux"),
    // The lock of the event path.
    .target(
      name: "SignalLocks", dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux, .android]))]),
    // What the live graph keeps of running chains. It knows nothing of signals, so that others may report to it too.
    .target(
      name: "SignalRecording",
      dependencies: [
        "SignalGraph", "SignalLocks", .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    // Chains of `AsyncSequence` in the live graph. It needs no signals.
    .target(name: "SignalAsync", dependencies: ["SignalRecording"]),
    // What is wrong with a graph: from one or two snapshots to findings.
    .target(name: "SignalFindings", dependencies: ["SignalGraph"]),
    // What is drawn of a graph, as text: neither the inspected program nor the core needs it.
    .target(name: "SignalPicture", dependencies: ["SignalGraph"]),
    // Marble diagrams and fixtures as text: what reads and writes them, and draws them.
    .target(name: "SignalMarbles", dependencies: ["SignalPicture"]),
    // How an inspected program and the tool find each other and what they say.
    .target(name: "SignalAttach", dependencies: ["SignalGraph"]),
    .target(
      name: "Signals",
      dependencies: [
        "SignalGraph", "SignalRecording", "SignalLocks",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),
    // The Swift runtime's hooks for jobs, which only C can reach. Only tests have them.
    .target(name: "CTaskHooks"),
    .target(
      name: "SignalTesting",
      dependencies: [
        "CTaskHooks", "SignalFindings", "SignalGraph", "SignalMarbles", "SignalPicture", "Signals",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .target(
      name: "SignalInspector",
      dependencies: ["SignalAttach", "SignalGraph", "Signals"]
    ),
    // Empty without the trait, so that who does not log does not fetch swift-log. A package cannot offer another one in a folder of its own,
    // and dependencies of a product that nobody uses are fetched all the same.
    .target(
      name: "SignalLogging",
      dependencies: [
        "Signals", .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
      ]
    ),
    // Empty without their traits, as SignalLogging is.
    .target(
      name: "SignalMetrics",
      dependencies: [
        "SignalFindings", "SignalGraph", "SignalRecording",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]
    ),
    .target(
      name: "SignalTracing",
      dependencies: [
        "SignalGraph", "Signals",
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]
    ),
    .target(
      name: "SignalServices",
      dependencies: [
        "SignalRecording",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"])),
      ]
    ),
    // Sources of the operating system, without Foundation.
    .target(
      name: "SignalSystem",
      dependencies: ["Signals", .target(name: "CEpoll", condition: .when(platforms: [.linux, .android]))]),
    // The system's epoll, which Swift's module of the C library leaves out.
    .systemLibrary(name: "CEpoll"),
    // Sources of Foundation, which Signals does not import.
    .target(name: "SignalFoundation", dependencies: ["SignalSystem", "Signals"]),
    // Empty without the trait, as SignalLogging is.
    .target(
      name: "SignalSubprocess",
      dependencies: [
        "Signals",
        .product(
          name: "Subprocess", package: "swift-subprocess",
          condition: .when(platforms: [.macOS, .linux], traits: ["Subprocess"])),
      ]
    ),
    // Empty without Combine, unless the trait brings OpenCombine.
    .target(
      name: "SignalCombine",
      dependencies: [
        "SignalRecording", "Signals", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ]
    ),
    // Marble diagrams for publishers; empty where SignalCombine is. A room of its own, so that who tests without Combine builds nothing for it.
    .target(
      name: "SignalCombineTesting",
      dependencies: [
        "SignalCombine", "SignalTesting", "Signals",
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ]
    ),
    // What Apple's frameworks have: thin adapters over logic that runs everywhere.
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
    // The live page. As a part of the program it is wherever the program is.
    .target(name: "CPage", exclude: ["Files"]),
    .executableTarget(name: "SearchBox", dependencies: ["SignalInspector", "Signals"], path: "Examples/SearchBox"),
    // Three programs that send to each other, for `signal-viz render --every-program`.
    .executableTarget(name: "OrderLine", dependencies: ["SignalInspector", "Signals"], path: "Examples/OrderLine"),
    // Chains with faults, for `signal-viz check`; a test lets it find them.
    .executableTarget(name: "Faults", dependencies: ["SignalInspector", "Signals"], path: "Examples/Faults"),
    // The programs of the guides: each has a fault that its guide finds. A test follows the guides.
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
    .testTarget(
      name: "ExampleTests", dependencies: ["BuiltPrograms", "view-model", "weather-station", "word-count"]),
    // Sample graphs for tests, and the program that writes them as snapshots.
    .target(name: "SampleGraphs", dependencies: ["SignalGraph"], path: "Tests/SampleGraphs"),
    .executableTarget(
      name: "sample-graph", dependencies: ["SampleGraphs", "SignalGraph"], path: "Tests/SampleGraphWriter"),
    // Programs that serve the main queue in different ways, and what they all do.
    .target(name: "MainQueueTrial", dependencies: ["Signals"], path: "Tests/Programs/MainQueueTrial"),
    .executableTarget(
      name: "main-by-run-loop", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByRunLoop"),
    .executableTarget(
      name: "main-by-dispatch", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByDispatch"),
    .executableTarget(name: "main-by-async", dependencies: ["MainQueueTrial"], path: "Tests/Programs/MainByAsync"),
    // Where tests find the programs that were built with them.
    .target(name: "BuiltPrograms", path: "Tests/Programs/BuiltPrograms"),
    // What a command takes of time and memory.
    .executableTarget(name: "measured-run", path: "Tests/Programs/MeasuredRun"),
    // A program all of whose tasks hang, to be looked at.
    .executableTarget(
      name: "hung-tasks", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/HungTasks"),
    // A program of as many nodes as are wanted, to be looked at.
    .executableTarget(
      name: "many-nodes", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/ManyNodes"),
    // A program with planted faults, for what is found in it.
    .executableTarget(
      name: "PlantedFaults", dependencies: ["SignalInspector", "Signals"], path: "Tests/Programs/PlantedFaults"),
    // The programs of the guides as the guides mend them.
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
    // Every operator, once: the law tests, the leak tests, the fixtures, the stress and the page of costs read it.
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
    // What tests of the core share: logs, threads that start together, counts of what lives.
    .target(name: "Probes", dependencies: ["SignalGraph", "Signals"], path: "Tests/Probes"),
    // The laws and the races, apart from the other tests of the core: they are also run on an optimised build and under the sanitizers.
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
    // Follows each guide step by step.
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

// For one comparison only: what the library costs when the live graph cannot even be turned on. See `scripts/bench`.
if Context.environment["SIGNALS_WITHOUT_GRAPH"] == "1" {
  for target in package.targets where ["SignalRecording", "Signals"].contains(target.name) {
    target.swiftSettings = [.define("SIGNALS_WITHOUT_GRAPH")]
  }
}

// For the variants of the tests only, such as those under a sanitizer: the test targets that are built. See `scripts/lib/suites.sh`.
if let names = Context.environment["SIGNALS_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// For `scripts/docs` only: the plugin that builds the documentation. Who uses the package does not fetch it.
if Context.environment["SIGNALS_DOCUMENTATION"] == "1" {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
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
