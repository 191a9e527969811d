import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// A picture file of a graph: svg, png or pdf. One in pixels that had to be made too small to be read says so, in itself and on standard error.
struct PictureFile {
  var graph: GraphSnapshot
  var format: PictureFormat
  var options: DrawingOptions
  var limits = LayoutProcess.Limits(seconds: 60, megabytes: 2_048)

  func write(to file: OutputFile) throws {
    let plan = try LayoutPlan(for: graph, format: format, options: options)
    guard format == .png else {
      return try file.write { try LayoutProcess.run(plan, limits: limits, into: $0) }
    }
    var picture = try ScratchFile()
    let scale = try LayoutProcess.run(plan, limits: limits, into: picture.handle)
    if scale < LayoutPlan.legibleScale {
      let percent = max(1, Int((scale * 100).rounded()))
      let vector = Self.vectorName(for: file.name)
      var options = options
      options.notice = PictureNotice(
        "Scaled to \(percent) %, too small to read: write \(vector)", points: Int(min(400, 11 / scale)))
      picture = try ScratchFile()
      try LayoutProcess.run(
        LayoutPlan(for: graph, format: format, options: options), limits: limits, into: picture.handle)
      Terminal.note(
        "\(file.name) had to be scaled to \(percent) % and is too small to read; write "
          + "\(vector), which has no largest size, or show less with --focus.")
    }
    let bytes = try picture.contents()
    try file.write(bytes)
  }

  /// The same name with the extension svg.
  private static func vectorName(for path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".svg"
  }
}
