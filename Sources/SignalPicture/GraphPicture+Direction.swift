extension GraphPicture {
  /// The direction in which values travel in the drawing: callers that redraw a graph retain the first one, so that
  /// boxes stay near their positions.
  package func direction(for options: DrawingOptions) -> DrawingOptions.Direction { shape(for: options).direction }
}
