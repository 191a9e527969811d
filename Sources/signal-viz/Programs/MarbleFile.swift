import Foundation
import SignalMarbles
import SignalPicture

/// A file of marble diagrams, or a recording.
struct MarbleFile {
  /// A drawing, and the name for a file of its own.
  struct Drawing {
    var picture: MarblePicture
    var fileName: String
  }

  /// The maximum size of a file of diagrams.
  private static let largestSize = 16 * 1_048_576

  private let path: String
  private let text: String
  private let recording: Recording?

  /// Reads a file, or standard input for `-`.
  init(path: String) throws {
    self.path = path == "-" ? "standard input" : path
    let data: Data
    do {
      if path == "-" {
        var start = try FileHandle.standardInput.read(upToCount: Self.largestSize + 1) ?? Data()
        if RecordingFile.isTrace(start) {
          start += try FileHandle.standardInput.read(upToCount: SnapshotFile.largestSize) ?? Data()
          (text, recording) = ("", try RecordingFile.read(start, of: self.path))
          return
        }
        data = start
      } else {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
          throw Failure("There is no file `\(path)`; give the path of a .marbles file.")
        }
        guard !isFolder.boolValue else {
          throw Failure("`\(path)` is a folder; give files, such as `\(path)/*.marbles`.")
        }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        data = try file.read(upToCount: Self.largestSize + 1) ?? Data()
        if RecordingFile.isTrace(data) {
          (text, recording) = ("", try RecordingFile.read(path))
          return
        }
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure("`\(self.path)` cannot be read: \(error.localizedDescription). Check its permissions.")
    }
    guard data.count <= Self.largestSize else {
      throw Failure("`\(self.path)` has more than 16 MB, which is no file of marble diagrams.")
    }
    guard let text = String(data: data, encoding: .utf8) else { throw Failure("`\(self.path)` is not text in UTF-8.") }
    (self.text, recording) = (text, nil)
  }

  /// Whether names are source locations, which are long.
  var isRecording: Bool { recording != nil }

  /// The selected cases of fixtures, or the diagrams of any other text.
  func drawings(where isWanted: (String) -> Bool) throws -> [Drawing] {
    if let recording {
      let picture = try ReplayMarbles(recording: recording).picture()
      return isWanted(picture.title) ? [Drawing(picture: picture, fileName: stem)] : []
    }
    do {
      guard isFixtures else {
        let picture = try MarblePicture(reading: text)
        return isWanted(picture.title) ? [Drawing(picture: picture, fileName: stem)] : []
      }
      return try FixtureParser.parse(text, filePath: path).filter { isWanted($0.name) }.map { fixture in
        Drawing(picture: try fixture.picture(), fileName: Self.fileName(fixture.name))
      }
    } catch let error as MarbleSyntaxError {
      // The error of a fixture contains its location.
      throw Failure(error.text.source == nil ? "\(path): \(error)" : "\(error)")
    } catch let error as FixtureSyntaxError {
      throw Failure("\(error)")
    }
  }

  /// Whether the text is a fixture file: these begin with a dialect or a fixture name.
  private var isFixtures: Bool {
    if path.hasSuffix(".marbles") { return true }
    let first = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("//") }
    return first.map { $0.hasPrefix("fixture:") || $0.hasPrefix("dialect:") } ?? false
  }

  private var stem: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return Self.fileName(name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
  }

  /// A name converted to letters, digits and dashes.
  private static func fileName(_ name: String) -> String {
    let parts = name.split { !($0.isLetter || $0.isNumber) }.map { $0.prefix(40) }
    let joined = parts.joined(separator: "-")
    return joined.isEmpty ? "diagram" : String(joined.prefix(80))
  }
}
