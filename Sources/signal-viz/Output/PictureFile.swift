import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// A drawing of a graph in a file: svg, png or pdf. It has less detail if a layout is not legible or takes too long. A
/// bitmap that is still too small to read carries a notice.
struct PictureFile {
  private let plan: (DrawingOptions) throws -> LayoutPlan
  private let format: PictureFormat
  private let options: DrawingOptions
  private let limits: LayoutProcess.Limits

  /// Creates a drawing of one program.
  init(
    graph: GraphSnapshot, format: PictureFormat, options: DrawingOptions,
    limits: LayoutProcess.Limits = LayoutProcess.Limits(seconds: 60, megabytes: 2_048)
  ) {
    plan = { try LayoutPlan(for: graph, format: format, options: $0) }
    (self.format, self.options, self.limits) = (format, options, limits)
  }

  /// Creates a drawing of several programs.
  init(graphs: [GraphSnapshot], format: PictureFormat, options: DrawingOptions, limits: LayoutProcess.Limits) {
    plan = { try LayoutPlan(for: graphs, format: format, options: $0) }
    (self.format, self.options, self.limits) = (format, options, limits)
  }

  /// Lays out and writes the drawing.
  ///
  /// - Parameters:
  ///   - name: The name as given by the user, or "-".
  ///   - write: Calls a closure with a file to write to.
  /// - Returns: A message for the user, if the drawing is not readable.
  func write(named name: String, _ write: ((FileHandle) throws -> Void) throws -> Void) throws -> String? {
    var note: String?
    // The file is opened first: if it cannot be written, no layout is needed. Tries the plan, its alternatives, then plans
    // with less detail.
    try write { file in
      let layout = try LegibleLayout.first(of: plan(options), isTooLarge: { $0 is LayoutTooLarge }) { plan, isLast in
        let picture = try ScratchFile()
        return (picture, try LayoutProcess.run(plan, limits: isLast ? limits : limits.partial, into: picture.handle))
      }
      var bytes = try layout.drawn.contents()
      let scale = layout.size.pixelScale
      if format == .png, scale < LayoutSize.legibleScale {
        let percent = max(1, Int((scale * 100).rounded()))
        bytes = try painted(layout.plan, withNoticeOf: percent, at: scale, named: name)
        note =
          "\(name == "-" ? "The picture" : name) had to be scaled to \(percent) % and is too small to read; write "
          + "\(Self.vectorName(for: name)), which has no largest size, or show less with --focus."
      }
      let finished = format == .svg ? Data(layout.plan.finished(Array(bytes))) : bytes
      try finished.write(to: file.fileDescriptor)
    }
    return note
  }

  /// Returns the same layout with a notice that it is too small.
  private func painted(
    _ plan: LayoutPlan, withNoticeOf percent: Int, at scale: Double, named name: String
  ) throws -> Data {
    let notice = PictureNotice(
      "Scaled to \(percent) %, too small to read: write \(Self.vectorName(for: name))",
      points: Int(min(400, 11 / scale)))
    let picture = try ScratchFile()
    try LayoutProcess.run(plan.adding(notice), limits: limits, into: picture.handle)
    return try picture.contents()
  }

  /// The same name with the extension svg.
  private static func vectorName(for path: String) -> String {
    guard path != "-" else { return "SVG" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".svg"
  }
}
