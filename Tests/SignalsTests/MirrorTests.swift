import Foundation
import Testing

/// Each operator, each way to combine signals and each source has a specification: the file of tests of the same name.
@Suite("Tests mirror Sources/Signals")
struct MirrorTests {
  @Test("X.swift has its XTests.swift, and the other way round", arguments: ["Operators", "Combining", "Sources"])
  func mirror(folder: String) throws {
    let sources = try names(in: root.appending(path: "Sources/Signals/\(folder)"), ending: ".swift")
    let tests = try names(in: root.appending(path: "Tests/SignalsTests/\(folder)"), ending: "Tests.swift")
    #expect(!sources.isEmpty)
    #expect(tests.subtracting(sources) == [], "a specification of something that is not in Sources/Signals/\(folder)")
    #expect(sources.subtracting(tests) == [], "without a specification in Tests/SignalsTests/\(folder)")
  }

  private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The names of the files in a folder, without what each of them ends with.
  private func names(in folder: URL, ending: String) throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    return Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
  }
}
