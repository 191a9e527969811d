import Foundation
import Testing

@testable import signal_viz

@Suite("The files of findings") struct SourceFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ paths: String...) throws {
    for path in paths {
      let file = folder.file(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
  }

  private func path(_ fileID: String, below root: String = "") -> String? {
    SourceFolder(folder.file(root).path).pathInside(of: fileID)
  }

  @Test func aFileInAFolderOfItsModuleIsFound() throws {
    try make("Sources/App/Views/Feed.swift", "Sources/Other/Feed.swift", "Sources/my-tool/Main.swift")
    #expect(path("App/Feed.swift") == "Sources/App/Views/Feed.swift")
    #expect(path("Other/Feed.swift") == "Sources/Other/Feed.swift")
    #expect(path("my_tool/Main.swift") == "Sources/my-tool/Main.swift")
    #expect(
      SourceFolder(folder.url.path).path(of: "App/Feed.swift") == folder.url.path + "/Sources/App/Views/Feed.swift")
  }

  @Test func whereSeveralFitNoneIsFound() throws {
    try make("Sources/App/Feed.swift", "Copies/App/Feed.swift")
    #expect(path("App/Feed.swift") == nil)
    #expect(path("App/Feed.swift", below: "Copies") == "App/Feed.swift")
  }

  @Test func aFolderMayBeTheModuleItself() throws {
    try make("App/Views/Feed.swift")
    #expect(path("App/Feed.swift", below: "App") == "Views/Feed.swift")
    #expect(path("Other/Feed.swift", below: "App") == nil)
  }

  @Test func hiddenFoldersLinksAndOtherPathsAreNotFollowed() throws {
    try make(".build/App/Feed.swift", "App/Other.swift")
    #expect(path("App/Feed.swift") == nil)
    try FileManager.default.createSymbolicLink(
      at: folder.file("App/loop"), withDestinationURL: folder.url)
    #expect(path("App/Other.swift") == "App/Other.swift")
    for text in ["", "Feed.swift", "App/../App/Gone.swift", "/", "App/"] { #expect(path(text) == nil) }
  }

  /// A link may lead anywhere, such as to a file of another user.
  @Test func linksOutOfTheRootAreNotFollowed() throws {
    try make("outside/App/Secret.swift", "outside/App/Linked.swift", "root/App/Own.swift")
    try FileManager.default.createSymbolicLink(
      at: folder.file("root/App/Directory"), withDestinationURL: folder.file("outside/App"))
    for (link, file) in [("Linked", "outside/App/Linked.swift"), ("Alias", "root/App/Own.swift")] {
      try FileManager.default.createSymbolicLink(
        at: folder.file("root/App/\(link).swift"), withDestinationURL: folder.file(file))
    }
    #expect(path("App/Secret.swift", below: "root") == nil)
    #expect(path("App/Linked.swift", below: "root") == nil)
    #expect(path("App/Alias.swift", below: "root") == "App/Alias.swift")
  }
}
