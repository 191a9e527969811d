import ArgumentParser
import Foundation
import SignalGraph
import SignalPicture

/// The options for the location of source files, and for what a click on a box opens.
struct LinkChoice: ParsableArguments {
  @Option(
    help: """
      The folder in which files are looked up, the current one if not given: for names of sources, and what boxes open.
      """)
  var sourceRoot: String?

  @Option(
    help: """
      What boxes open: file, vscode, or an address such as 'https://example.com/blob/main/{path}#L{line}'. {path} is the \
      path below --source-root, {file} the #fileID. A file that is not found, or found twice, is not opened.
      """)
  var link: String?

  func validate() throws {
    try SourceFolder.check(folder.root)
    if sourceRoot != nil { SourceNames.look(in: folder) }
    do throws(SourceLink.PatternError) {
      _ = try pattern.map(SourceLink.init(pattern:))
    } catch {
      throw ValidationError("\(error) Or write file, or vscode.")
    }
  }

  /// The directory in which files are looked up.
  var folder: SourceFolder { SourceFolder(sourceRoot ?? ".") }

  /// The links of a graph's boxes; nil if none are requested.
  ///
  /// - Parameter known: The directory, if it has been scanned already; nothing is then reported about missing files.
  func sourceLink(of graph: GraphSnapshot, in known: SourceFolder? = nil) throws -> SourceLink? {
    guard var link = try pattern.map(SourceLink.init(pattern:)) else { return nil }
    guard link.needsPaths else { return link }
    let folder = known ?? folder
    let files = Set(graph.definitions.map(\.fileID))
    for file in files { link.paths[file] = folder.pathInside(of: file) }
    if known == nil, link.paths.isEmpty, !files.isEmpty {
      Terminal.note(
        "No file of the graph is below `\(folder.root)`, so boxes open nothing; --source-root names the folder.")
    }
    return link
  }

  /// The link of source locations in the live page, by default to Visual Studio Code. Browsers open no `file:` link of
  /// a page.
  var editorLink: SourceLink? {
    get throws {
      var choice = self
      choice.link = link ?? "vscode"
      return try choice.pattern.map(SourceLink.init(pattern:))
    }
  }

  private var pattern: String? {
    let root = URL(fileURLWithPath: folder.root).standardizedFileURL.path
    // The root directory ends with a slash already.
    let path = SourceLink.encodedPath(root == "/" ? "" : root) + "/{path}"
    return switch link {
    case nil: sourceRoot == nil ? nil : "file://\(path)"
    case "file": "file://\(path)"
    case "vscode": "vscode://file\(path):{line}"
    case let link?: link
    }
  }
}
