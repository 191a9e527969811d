import Foundation

/// The source location of a test method. XCTest does not provide it, so its file is searched for in the package
/// manager's source directories.
struct TestPlace {
  /// The module of the test case class.
  let module: String
  /// The test case class.
  let type: String
  /// The test method.
  let method: String

  /// Parses XCTest's names.
  ///
  /// - Parameters:
  ///   - type: The class with its module: `FeedTests.SearchTests`.
  ///   - name: The test's name: `SearchTests.testSearching`, or `-[SearchTests testSearching]`.
  init(type: String, name: String) {
    let parts = type.split(separator: ".").map(String.init)
    module = parts.first ?? ""
    self.type = parts.last ?? ""
    method = String(name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last ?? "")
  }

  /// The location of the method; nil if its file is not found.
  func source(in package: String = FileManager.default.currentDirectoryPath) -> MarbleSource? {
    for folder in ["Tests/\(module)", "Sources/\(module)", "Tests"] {
      let folder = URL(fileURLWithPath: package).appendingPathComponent(folder)
      guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { continue }
      for case let file as URL in files where file.pathExtension == "swift" {
        if let line = line(in: file) {
          return MarbleSource(
            fileID: "\(module)/\(file.lastPathComponent)", filePath: file.path, line: line, column: 1)
        }
      }
    }
    return nil
  }

  private func line(in file: URL) -> Int? {
    guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("func \(method)(") else {
      return nil
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let words = lines.map { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
    guard let start = words.firstIndex(where: { $0.contains("class") && $0.contains(Substring(type)) }) else {
      return nil
    }
    let found = words[start...].firstIndex { words in
      words.firstIndex(of: "func").map { words.dropFirst($0 + 1).first == Substring(method) } ?? false
    }
    return found.map { $0 + 1 }
  }
}
