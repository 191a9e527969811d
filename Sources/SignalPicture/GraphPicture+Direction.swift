extension GraphPicture {
  /// The direction in which values travel when it is drawn: who draws a graph again and again keeps the first one, so that a box stays near its place.
  package func direction(for options: DrawingOptions) -> DrawingOptions.Direction { shape(for: options).direction }
}
