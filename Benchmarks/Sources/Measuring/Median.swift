extension [Double] {
  /// The middle one of the values, which must not be none; the upper one of the middle two.
  package var median: Double { sorted()[count / 2] }
}
