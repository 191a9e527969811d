extension LayoutPlan {
  /// Plans a sheet with one picture on it: SVG as pixels or as a page, by what libgraphviz paints images with.
  ///
  /// - Parameters:
  ///   - file: The path of the SVG.
  ///   - width: How wide the picture is, in points.
  ///   - height: How high the picture is, in points.
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
