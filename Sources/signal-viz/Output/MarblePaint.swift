import Foundation
import SignalPicture
import SignalRendering

/// Writes marble diagrams to a file.
enum MarblePaint {
  /// The largest side in pixels that libgraphviz paints in one drawing.
  private static let largestSide = 32_000

  /// Writes drawings below each other.
  ///
  /// - Parameter advice: What to do if there are too many.
  static func write(
    _ pictures: [MarblePicture], options: MarbleDrawingOptions, as format: PictureFormat, to place: OutputPlace,
    advice: String
  ) throws {
    let page = MarblePage(pictures, options: options)
    guard format != .svg else { return try place.write(Data(page.svg.utf8)) }
    guard max(page.width, page.height) * 2 <= largestSide else {
      throw Failure(
        "\(pictures.count) pictures below each other are too high for \(format.rawValue.uppercased()). \(advice)")
    }
    // libgraphviz recognises an image by its first characters.
    let image = try NamedScratchFile(
      Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(page.svg)".utf8), suffix: ".svg")
    defer { image.remove() }
    let plan = LayoutPlan(svgFile: image.path, width: page.width, height: page.height, format: format)
    do {
      try place.write {
        try LayoutProcess.run(plan, limits: LayoutProcess.Limits(seconds: 60, megabytes: 2_048), into: $0)
      }
    } catch let failure as Failure where failure.description.contains("No loadimage plugin") {
      throw Failure(
        "This libgraphviz cannot paint SVG (it has no plug-in for librsvg), so marble diagrams can be written as SVG only."
      )
    }
  }
}

/// A temporary file for another process to read; its creator removes it.
struct NamedScratchFile {
  let path: String

  init(_ contents: Data, suffix: String) throws {
    var template = Array("\(NSTemporaryDirectory())/signal-viz.XXXXXX\(suffix)".utf8CString)
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    guard descriptor >= 0 else {
      throw Failure("Cannot make a temporary file in `\(NSTemporaryDirectory())`: \(SystemMessage.last).")
    }
    defer { close(descriptor) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      try contents.write(to: descriptor)
    } catch let error as WriteError {
      unlink(path)
      throw Failure("A temporary file in `\(NSTemporaryDirectory())` cannot be written: \(error).")
    }
  }

  func remove() { unlink(path) }
}
