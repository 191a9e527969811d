extension MarblePicture {
  /// Returns the drawing as SVG: the same bytes for the same diagram, for light and dark mode, with texts for screen
  /// readers.
  ///
  /// A long diagram continues in further bands below. Events that do not fit are omitted and counted: stretches without
  /// a difference first.
  ///
  /// - Parameter options: The drawing options.
  /// - Complexity: O(*n* log *n*) in the number of events.
  public func svg(options: MarbleDrawingOptions = MarbleDrawingOptions()) -> String {
    var drawing = MarbleDrawing(self, options: options)
    return drawing.svg()
  }
}
