import ArgumentParser
import Foundation
import SignalPicture
import SignalRendering

/// The destination of a result: a file that is written atomically, or with `-` standard output.
enum OutputPlace {
  case file(OutputFile)
  case standardOutput

  /// Checks that the destination can be written to.
  init(path: String) throws { self = path == "-" ? .standardOutput : .file(try OutputFile(path: path)) }

  /// The name as given by the user.
  var name: String {
    switch self {
    case .file(let file): file.name
    case .standardOutput: "-"
    }
  }

  func write(_ data: Data) throws {
    switch self {
    case .file(let file): try file.write(data)
    case .standardOutput: try Terminal.write(data)
    }
  }

  /// Calls `fill` with a file to write to. If it throws, nothing is written.
  func write(_ fill: (FileHandle) throws -> Void) throws {
    switch self {
    case .file(let file): try file.write(fill)
    case .standardOutput:
      let scratch = try ScratchFile()
      try fill(scratch.handle)
      try Terminal.write(scratch.contents())
    }
  }
}

extension OutputKind {
  /// The format to write, given by `--format`, or else by the extension of the output file; SVG on standard output.
  ///
  /// - Parameter list: The names to list in the error for any other one.
  init(path: String, format: String?, offering list: String = Self.list) throws {
    if let format {
      guard let kind = try? OutputKind(path: "graph.\(format)"), list.contains(format.lowercased()) else {
        throw ValidationError("--format \(format.displayable()) is not possible; use one of \(list).")
      }
      self = kind
    } else if path == "-" {
      self = .picture(.svg)
    } else {
      try self.init(path: path, offering: list)
    }
  }

  /// Refuses to write formats to a terminal that are not readable there.
  func checkThatReadable(at path: String) throws {
    guard path == "-", isatty(STDOUT_FILENO) == 1, case .picture(let format) = self, format != .svg else { return }
    throw ValidationError(
      "\(format.rawValue.uppercased()) cannot go to a terminal; name a file, or redirect `-o -`.")
  }
}
