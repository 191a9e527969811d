import Testing

/// Each guide is followed from its first line to its last: one that does not tell the truth fails.
@Suite("guides", .timeLimit(.minutes(20))) struct GuideTests {
  @Test(arguments: Guide.names) func whatItSaysIsSo(name: String) async throws {
    try await GuideRun(Guide(named: name)).follow()
  }

  @Test(arguments: Guide.names) func theTestThatItShowsIsRun(name: String) throws {
    _ = try ShownTest(of: Guide(named: name))
  }

  @Test func numbersAreNotCompared() {
    #expect("App.swift:12: 1,234 in 2.5 s (pid 7)".withoutFigures == "App.swift:12: # in # s (pid #)")
  }
}
