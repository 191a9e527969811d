import Foundation

/// The location in a source file of a diagram.
///
/// A function that takes a diagram captures its location with default arguments. `#line` of such an argument is the
/// line of the called function's name, not of the literal; ``located(text:)`` finds the literal itself.
public struct MarbleSource: Hashable, Sendable {
  /// The file as `Module/File.swift`.
  public var fileID: String
  /// The file's path when it was compiled.
  public var filePath: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1.
  public var column: Int
  /// The path as XCTest expects it; nil for a file that is not source code.
  package var compiledPath: StaticString? { path?.string }
  private let path: CompiledPath?

  /// Creates a location, by default the caller's.
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

  /// Creates a location in a file that is not source code, for example a `.marbles` fixture.
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

  /// The last component of the file's name.
  public var fileName: String { String(fileID.split(separator: "/").last ?? Substring(fileID)) }

  /// Returns the location at which `text` itself begins, determined from the source file if it is readable.
  ///
  /// Searches for the literal among the arguments of the call at this location, or for the text at this location
  /// itself.
  ///
  /// - Parameter text: The literal's text.
  /// - Returns: The location of the text's first character and whether the file confirms it; else this location and
  ///   `false`.
  /// - Complexity: O(*n*) in the length of the file.
  public func located(text: String) -> (source: MarbleSource, isConfirmed: Bool) { located(text: text, nil) }

  /// Returns the location at which the text of an argument begins.
  func located(text: String, _ argument: DiagramArgument?) -> (source: MarbleSource, isConfirmed: Bool) {
    guard line >= 1, column >= 1, !text.isEmpty, let contents = FileManager.default.contents(atPath: filePath) else {
      return (self, false)
    }
    let bytes = [UInt8](contents)
    guard let start = bytes.offset(ofLine: line) else { return (self, false) }
    var found = self
    if let column = ownColumn(of: text, in: bytes[start...]) {
      found.column = column
      return (found, true)
    }
    guard filePath.hasSuffix(".swift"), start + column <= bytes.count else { return (self, false) }
    var reader = SwiftCallReader(bytes, at: start + column - 1)
    guard let literal = reader.arguments()?.literal(of: text, argument) else { return (self, false) }
    found.line = bytes[..<literal.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    if let indentation = literal.indentation {
      found.line += 1
      found.column = indentation.count + 1
      return (found, true)
    }
    let first = literal.range.lowerBound + literal.poundCount + 1
    found.column = String(decoding: bytes[(bytes.offset(ofLine: found.line) ?? 0)..<first], as: UTF8.self).count + 1
    // After an escape the text's columns differ from the file's.
    return (found, bytes[first...].starts(with: text.utf8))
  }

  /// The column of a text that is at this location itself.
  private func ownColumn(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let rest = line.dropFirst(column - 1)
    // In a fixture the diagram may be indented, and followed by a remark.
    guard filePath.hasSuffix(".swift") else {
      return rest.firstRange(of: text).map { line.distance(from: line.startIndex, to: $0.lowerBound) + 1 }
    }
    let isQuoted = line.prefix(column - 1).last == "\"" && rest.hasPrefix(text + "\"")
    return isQuoted || rest == text ? column : nil
  }
}

/// A path stored by the compiler.
private struct CompiledPath: Hashable, Sendable {
  let string: StaticString

  static func == (left: Self, right: Self) -> Bool { "\(left.string)" == "\(right.string)" }

  func hash(into hasher: inout Hasher) { hasher.combine("\(string)") }
}

extension MarbleSource {
  /// The whole line in the file, if the file is readable.
  package var text: String? {
    guard let contents = try? String(contentsOfFile: filePath, encoding: .utf8) else { return nil }
    let lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return line >= 1 && line <= lines.count ? String(lines[line - 1]) : nil
  }
}
