extension Session {
  func runGraphs(seed: UInt64, graph: GraphMode, until end: Double) {}
}
