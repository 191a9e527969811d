extension OperatorCatalogue {
  /// Sources of the main queue and of actors, which have no virtual time: tests of their own check them.
  static let observation = [
    OperatorEntry("observing", .source, file: "Core/API/Observing.swift"),
    OperatorEntry("observingOnMain", .source, file: "Core/API/Observing.swift"),
  ]
}
