import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// A picture file of a graph: svg, png or pdf. It has less detail where a layout is not legible or takes too long. One in pixels that is still too
/// small to read has a notice.
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
    let layout = try LegibleLayout.first(of: plan(options), isTooLarge: { $0 is LayoutTooLarge }) { plan, isLast in
      let file = try ScratchFile()
      return (file, try LayoutProcess.run(plan, limits: isLast ? limits : limits.partial, into: file.handle))
    }
    var bytes = try layout.drawn.contents()
    var note: String?
    let scale = layout.size.pixelScale
    if format == .png, scale < LayoutSize.legibleScale {
      let percent = max(1, Int((scale * 100).rounded()))
      let vector = Self.vectorName(for: name)
      let notice = PictureNotice(
        "Scaled to \(percent) %, too small to read: write \(vector)", points: Int(min(400, 11 / scale)))
      let picture = try ScratchFile()
      try LayoutProcess.run(layout.plan.adding(notice), limits: limits, into: picture.handle)
      bytes = try picture.contents()
      note =
        "\(name == "-" ? "The picture" : name) had to be scaled to \(percent) % and is too small to read; write \(vector), "
        + "which has no largest size, or show less with --focus."
    }
    let finished = format == .svg ? Data(layout.plan.finished(Array(bytes))) : bytes
    try write { try finished.write(to: $0.fileDescriptor) }
    return note
  }

  /// The same name with the extension svg.
  private static func vectorName(for path: String) -> String {
    guard path != "-" else { return "SVG" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".svg"
  }
}
