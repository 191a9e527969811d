import BuiltPrograms
import Foundation
import Testing

/// The examples are built in Swift 6 mode, where a warning is an error, and do what they say.
@Suite("examples", .timeLimit(.minutes(20)))
struct ExampleTests {
  @Test("a view model on the main actor")
  func viewModel() async throws {
    #expect(
      try await output(of: "view-model") == """
        ann is taken
        carl is free
        cannot sign up
        can sign up
        shown: ann is taken, carl is free

        """)
  }

  @Test("an actor that listens")
  func weatherStation() async throws {
    #expect(
      try await output(of: "weather-station") == """
        cellar: 11.5 °C
        roof: 23.0 °C

        """)
  }

  @Test("a command-line tool")
  func wordCount() async throws {
    #expect(
      try await output(of: "word-count", input: "The cat and the dog.\nAnd the bird!\n") == """
        3 the
        2 and
        1 bird

        """)
    #expect(try await output(of: "word-count", input: "") == "")
  }

  @Test("no example asserts what the compiler could check")
  func noEscapes() throws {
    // Tests/ExampleTests/ExampleTests.swift
    let examples = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Examples")
    let files = try #require(FileManager.default.enumerator(at: examples, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 3)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in ["@unchecked", "nonisolated(unsafe)", "@preconcurrency", "assumeIsolated"] {
        #expect(!text.contains(word), "\(file.lastPathComponent) has \(word)")
      }
    }
  }

  private func output(of program: String, input: String = "") async throws -> String {
    let process = Process()
    process.executableURL = try BuiltProgram.file(program)
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do {
        try process.run()
        // A few lines at most: they fit into the pipe.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
      } catch {
        process.terminationHandler = nil
        done.resume(throwing: error)
      }
    }
    #expect(process.terminationStatus == 0)
    return String(decoding: try standardOutput.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}
