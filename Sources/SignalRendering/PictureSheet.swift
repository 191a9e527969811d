extension LayoutPlan {
  /// Plans a sheet with one drawing on it: SVG as pixels or as a page, by libgraphviz's image support.
  ///
  /// - Parameters:
  ///   - file: The path of the SVG.
  ///   - width: The width of the drawing, in points.
  ///   - height: The height of the drawing, in points.
  ///   - format: PNG or PDF. PNG has two pixels for a point.
  package init(svgFile file: String, width: Int, height: Int, format: PictureFormat) {
    let path = file.flatMap { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }
    let size = "width=\(Double(width) / 72), height=\(Double(height) / 72)"
    self.init(
      dot: """
        digraph {
          graph [pad=0, margin=0, dpi=\(format == .png ? 144 : 72)];
          node [shape=none, label="", margin=0, fixedsize=true, imagescale=true, \(size)];
          picture [image="\(String(path))"];
        }
        """, format: format)
  }
}
