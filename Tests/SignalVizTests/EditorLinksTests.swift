import ArgumentParser
import Foundation
import SignalGraph
import Testing

@testable import signal_viz

@Suite("Links to the editor") struct EditorLinksTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let file = folder.file("Sources/App/Feed.swift")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: file)
  }

  private func address(of fileID: String, _ arguments: String...) throws -> String? {
    let links = try EditorLinks(try LinkChoice.parse(["--source-root", folder.url.path] + arguments))
    return links.address(of: Definition(id: 1, kind: "map", fileID: fileID, line: 7, function: "f()"))
  }

  @Test func aLocationOpensItsFileAndLine() throws {
    let root = folder.url.standardizedFileURL.path
    #expect(try address(of: "App/Feed.swift") == "vscode://file\(root)/Sources/App/Feed.swift:7")
    #expect(
      try address(of: "App/Feed.swift", "--link", "https://example.com/{path}#L{line}")
        == "https://example.com/Sources/App/Feed.swift#L7")
  }

  @Test func aFileThatIsNotFoundHasNoLink() throws {
    #expect(try address(of: "App/Other.swift") == nil)
  }
}
