import Testing

/// Each guide is followed from its first line to its last: one that does not tell the truth fails.
@Suite("guides", .timeLimit(.minutes(20))) struct GuideTests {
  @Test(arguments: Guide.names) func whatItSaysIsSo(name: String) async throws {
    let guide = try Guide(named: name)
    var differences: [Comment] = []
    // Anew from the first line, as a program that once paused has counted a value more ever since.
    for _ in 0..<5 {
      differences = try await GuideRun(guide).follow()
      if differences.isEmpty { break }
    }
    for difference in differences { Issue.record(difference) }
  }

  @Test(arguments: Guide.names) func theTestThatItShowsIsRun(name: String) throws {
    _ = try ShownTest(of: Guide(named: name))
  }

  @Test func numbersAreNotCompared() {
    #expect("App.swift:12: 1,234 in 2.5 s (pid 7)".withoutFigures == "App.swift:12: # in # s (pid #)")
  }
}
