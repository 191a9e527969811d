import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// A picture file of a graph: svg, png or pdf. One in pixels that had to be made too small to be read says so, in itself.
struct PictureFile {
  private let plan: (DrawingOptions) throws -> LayoutPlan
  private let format: PictureFormat
  private let options: DrawingOptions
  private let limits: LayoutProcess.Limits

  /// Of one program.
  init(
    graph: GraphSnapshot, format: PictureFormat, options: DrawingOptions,
    limits: LayoutProcess.Limits = LayoutProcess.Limits(seconds: 60, megabytes: 2_048)
  ) {
    plan = { try LayoutPlan(for: graph, format: format, options: $0) }
    (self.format, self.options, self.limits) = (format, options, limits)
  }

  /// Of several programs.
  init(graphs: [GraphSnapshot], format: PictureFormat, options: DrawingOptions, limits: LayoutProcess.Limits) {
    plan = { try LayoutPlan(for: graphs, format: format, options: $0) }
    (self.format, self.options, self.limits) = (format, options, limits)
  }

  /// Lays out and writes the picture.
  ///
  /// - Parameters:
  ///   - name: The name that the user gave, or "-".
  ///   - write: Calls a closure with a file to write to.
  /// - Returns: What the user has to be told, if the picture cannot be read.
  func write(named name: String, _ write: ((FileHandle) throws -> Void) throws -> Void) throws -> String? {
    let first = try plan(options)
    if format == .svg {
      try write { file in
        let painted = try ScratchFile()
        try LayoutProcess.run(first, limits: limits, into: painted.handle)
        try Data(first.finished(Array(try painted.contents()))).write(to: file.fileDescriptor)
      }
      return nil
    }
    guard format == .png else {
      try write { try LayoutProcess.run(first, limits: limits, into: $0) }
      return nil
    }
    var picture = try ScratchFile()
    let scale = try LayoutProcess.run(first, limits: limits, into: picture.handle)
    var note: String?
    if scale < LayoutPlan.legibleScale {
      let percent = max(1, Int((scale * 100).rounded()))
      let vector = Self.vectorName(for: name)
      var options = options
      options.notice = PictureNotice(
        "Scaled to \(percent) %, too small to read: write \(vector)", points: Int(min(400, 11 / scale)))
      picture = try ScratchFile()
      try LayoutProcess.run(plan(options), limits: limits, into: picture.handle)
      note =
        "\(name == "-" ? "The picture" : name) had to be scaled to \(percent) % and is too small to read; write \(vector), "
        + "which has no largest size, or show less with --focus."
    }
    let bytes = try picture.contents()
    try write { try bytes.write(to: $0.fileDescriptor) }
    return note
  }

  /// The same name with the extension svg.
  private static func vectorName(for path: String) -> String {
    guard path != "-" else { return "SVG" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".svg"
  }
}
