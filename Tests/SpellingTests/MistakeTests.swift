import Foundation
import Testing

@Suite("mistakes")
struct MistakeTests {
  @Test("The compiler names each wrong chain of Tests/Mistakes on its line")
  func mistakes() async throws {
    let folders = (Bundle.allBundles + [Bundle.main]).map { $0.bundleURL }.flatMap {
      [$0, $0.deletingLastPathComponent()]
    }
    let modules = folders.map { $0.appendingPathComponent("Modules").path }
    let built = try #require(modules.first { FileManager.default.fileExists(atPath: $0 + "/Signals.swiftmodule") })
    // Tests/SpellingTests/MistakeTests.swift
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appendingPathComponent("scripts/check-mistakes")
    process.arguments = [built]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let words = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: words, as: UTF8.self))")
  }
}
