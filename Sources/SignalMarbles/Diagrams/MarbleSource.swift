import Foundation

/// The place in a source file where a diagram was written.
///
/// A function that takes a diagram captures it with default arguments. `#line` of such an argument is the line of the
/// called function's name, not of the literal; ``located(text:)`` finds the literal itself.
public struct MarbleSource: Hashable, Sendable {
  /// The file as `Module/File.swift`.
  public var fileID: String
  /// The file's path when it was compiled.
  public var filePath: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1.
  public var column: Int
  /// The path as XCTest wants it; nil for a file that is not source code.
  package var compiledPath: StaticString? { path?.string }
  private let path: CompiledPath?

  /// Makes a place, by default the caller's.
  ///
  /// - Parameters:
  ///   - fileID: The file as `Module/File.swift`.
  ///   - filePath: The file's path when it was compiled.
  ///   - line: The line, counted from 1.
  ///   - column: The column, counted from 1.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
    path = CompiledPath(string: filePath)
  }

  /// Makes a place in a file that is not source code, for example a `.marbles` fixture.
  ///
  /// - Parameters:
  ///   - fileID: The file's name in messages.
  ///   - filePath: The file's path.
  ///   - line: The line, counted from 1.
  ///   - column: The column, counted from 1.
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
    path = nil
  }

  /// The last part of the file's name.
  public var fileName: String { String(fileID.split(separator: "/").last ?? Substring(fileID)) }

  /// The place where `text` itself starts, read from the source file if it can be read.
  ///
  /// Looks for the literal at this line and the forty that follow, as one line or as a multi-line literal.
  ///
  /// - Parameter text: The literal's text.
  /// - Returns: The place of the text's first character and whether the file confirms it; else this place and `false`.
  /// - Complexity: O(*n*) in the length of the file.
  public func located(text: String) -> (source: MarbleSource, isConfirmed: Bool) {
    guard let contents = try? String(contentsOfFile: filePath, encoding: .utf8) else { return (self, false) }
    let lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let wanted = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard line >= 1, line <= lines.count, !wanted.isEmpty else { return (self, false) }
    for start in (line - 1)..<min(line + 40, lines.count) where start + wanted.count <= lines.count {
      if let column = Self.column(
        of: wanted, in: lines[start..<(start + wanted.count)], from: start == line - 1 ? column : 1)
      {
        var found = self
        found.line = start + 1
        found.column = column
        return (found, true)
      }
    }
    return (self, false)
  }

  private static func column(of wanted: [Substring], in lines: ArraySlice<Substring>, from column: Int) -> Int? {
    guard wanted.count > 1 else {
      guard lines[lines.startIndex].utf8.count >= wanted[0].utf8.count else { return nil }
      let line = Array(lines[lines.startIndex])
      let pattern = Array(wanted[0])
      guard !pattern.isEmpty, line.count >= pattern.count else { return nil }
      for start in max(0, column - 1)..<max(column, line.count - pattern.count + 1)
      where start + pattern.count <= line.count && Array(line[start..<(start + pattern.count)]) == pattern {
        let isQuoted = start > 0 && line[start - 1] == "\"" && line.dropFirst(start + pattern.count).first == "\""
        let isWholeLine = String(line).drop(while: \.isWhitespace) == wanted[0]
        if isQuoted || isWholeLine || line[..<start].contains(":") { return start + 1 }
      }
      return nil
    }
    var indentation: Int?
    for (line, pattern) in zip(lines, wanted) where !pattern.isEmpty {
      guard line.hasSuffix(pattern) else { return nil }
      let width = line.count - pattern.count
      guard line.prefix(width).allSatisfy(\.isWhitespace), indentation == nil || indentation == width else {
        return nil
      }
      indentation = width
    }
    return indentation.map { $0 + 1 }
  }
}

/// A path that the compiler wrote down.
private struct CompiledPath: Hashable, Sendable {
  let string: StaticString

  static func == (left: Self, right: Self) -> Bool { "\(left.string)" == "\(right.string)" }

  func hash(into hasher: inout Hasher) { hasher.combine("\(string)") }
}

extension MarbleSource {
  /// The whole line in the file, if the file can be read.
  package var text: String? {
    guard let contents = try? String(contentsOfFile: filePath, encoding: .utf8) else { return nil }
    let lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return line >= 1 && line <= lines.count ? String(lines[line - 1]) : nil
  }
}
