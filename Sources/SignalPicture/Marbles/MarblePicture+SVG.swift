extension MarblePicture {
  /// The picture as SVG: the same bytes for the same picture, in light or dark as the reader's screen is, with words for screen readers.
  ///
  /// A long diagram goes on below. What does not fit then is left out and counted: stretches without a difference first.
  ///
  /// - Parameter options: How it is drawn.
  /// - Complexity: O(*n* log *n*) in the number of events.
  public func svg(options: MarbleDrawingOptions = MarbleDrawingOptions()) -> String {
    var drawing = MarbleDrawing(self, options: options)
    return drawing.svg()
  }
}
