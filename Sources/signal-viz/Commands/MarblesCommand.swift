import ArgumentParser
import Foundation
import SignalMarbles
import SignalPicture
import SignalRendering

struct MarblesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "marbles", abstract: "Draws marble diagrams: fixtures, or diagrams below each other.",
    discussion: """
      Each case of a .marbles file becomes a drawing on one time axis: its sources above, the operator in a box, and the result below. \
      Several cases are drawn below each other, or each into its own file if the output is a folder.

      Any other text is read as diagrams below each other, as in the documentation of operators:
        typing   -a-b-----c-|
                 typing.debounce(for: .milliseconds(3), on: scheduler)
        result   ------b----(c|)

      For a recording of `signal-viz record` it draws the busiest sources and handlers; `replay -o` selects locations and a time.

      Exit status: 0; 2 if a file cannot be read or written; 64 if the arguments are wrong.

      Examples:
        signal-viz marbles Fixtures/operators/debounce.marbles -o debounce.svg
        signal-viz marbles Fixtures/operators/window.marbles --case notifier -o window.png
        signal-viz marbles Fixtures/operators/*.marbles -o pictures/
        signal-viz marbles - -o - < diagram.txt > diagram.svg
      """)

  static let formats = "svg, png, pdf"

  @Argument(help: "Files of fixtures (.marbles), of diagrams, or recordings; - for the standard input.")
  var files: [String]

  @Option(
    name: .shortAndLong,
    help:
      "The file to write, by its extension as \(formats); a folder for a file for each case; - for the standard output."
  )
  var output: String

  @Option(help: "What to write: \(formats).")
  var format: String?

  @Option(name: .customLong("case"), help: "Only cases whose names contain this. May be repeated.")
  var names: [String] = []

  @Option(help: "The maximum width of a drawing, in points; a longer diagram continues below.")
  var width = MarbleDrawingOptions().maximumWidth

  @Flag(help: "Draw no titles.")
  var noTitles = false

  private var isFolder: Bool {
    var isFolder: ObjCBool = false
    return output.hasSuffix("/")
      || FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) && isFolder.boolValue
  }

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Give at least one file.") }
    guard files.count(where: { $0 == "-" }) <= 1 else { throw ValidationError("Give - once: it is read to its end.") }
    guard (320...4_000).contains(width) else {
      throw ValidationError("--width \(width) is not possible; give 320 to 4000 points.")
    }
    _ = try kind()
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown { try draw() }
  }

  private func kind() throws -> PictureFormat {
    let kind =
      try isFolder && format == nil
      ? .picture(.svg) : OutputKind(path: output, format: format, offering: Self.formats)
    guard case .picture(let format) = kind else {
      throw ValidationError("Marble diagrams are drawn as one of \(Self.formats).")
    }
    try kind.checkThatReadable(at: output)
    return format
  }

  private func draw() throws {
    let format = try kind()
    // Errors in the output path are reported before anything is read.
    let place = isFolder ? nil : try OutputPlace(path: output)
    var drawings: [MarbleFile.Drawing] = []
    var options = MarbleDrawingOptions(maximumWidth: width, showsTitle: !noTitles)
    for path in files {
      let file = try MarbleFile(path: path)
      if file.isRecording { options.maximumNameLength = ReplayMarbles.nameLength }
      drawings += try file.drawings(where: isWanted)
    }
    guard !drawings.isEmpty else {
      throw Failure("No case has a name that contains \(names.map { "`\($0)`" }.joined(separator: " or ")).")
    }
    if let place {
      try MarblePaint.write(
        drawings.map(\.picture), options: options, as: format, to: place,
        advice: "Choose some with --case, or give a folder: each gets a file of its own then.")
      guard output != "-" else { return }
      try Terminal.write(line: "\(output.withVisibleControls): \(Self.count(drawings.count))")
    } else {
      try write(drawings, options: options, as: format)
    }
  }

  private func write(_ drawings: [MarbleFile.Drawing], options: MarbleDrawingOptions, as format: PictureFormat) throws {
    let folder = output.hasSuffix("/") && output.count > 1 ? String(output.dropLast()) : output
    var taken: Set<String> = []
    for drawing in drawings {
      var name = drawing.fileName
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(drawing.fileName)-\(number)"
        number += 1
      }
      let path = "\(folder)/\(name).\(format.rawValue)"
      try MarblePaint.write(
        [drawing.picture], options: options, as: format, to: OutputPlace(path: path), advice: "Give a smaller --width.")
      try Terminal.write(line: path.withVisibleControls)
    }
  }

  private func isWanted(_ name: String) -> Bool {
    names.isEmpty || names.contains { name.range(of: $0, options: .caseInsensitive) != nil }
  }

  private static func count(_ pictures: Int) -> String { pictures == 1 ? "1 diagram" : "\(pictures) diagrams" }
}
