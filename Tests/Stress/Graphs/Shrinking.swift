/// Makes a plan that fails smaller while it still fails.
struct Shrinking {
  /// How long it may take altogether.
  private static let limit = 15.0
  /// How often a smaller plan is tried: whether it fails depends on timing.
  private static let tries = 60

  let plan: Plan
  let check: String
  let run: (Plan) -> [Finding]

  /// - Returns: The numbers of the parts that can be left out.
  func removable(from already: Set<Int>) -> Set<Int> {
    let end = Watch.uptime() + Self.limit
    var removed = already
    var size = max(1, (plan.count - removed.count) / 2)
    while true {
      var didShrink = false
      let left = (1...max(1, plan.count)).filter { !removed.contains($0) }
      var start = 0
      while start < left.count {
        if Watch.uptime() > end { return removed }
        let candidate = removed.union(left[start..<min(left.count, start + size)])
        if fails(plan.without(candidate), until: end) {
          removed = candidate
          didShrink = true
        }
        start += size
      }
      if size > 1 { size /= 2 } else if !didShrink { return removed }
    }
  }

  private func fails(_ plan: Plan, until end: Double) -> Bool {
    for _ in 0..<Self.tries {
      if run(plan).contains(where: { $0.check == check }) { return true }
      if Watch.uptime() > end { return false }
    }
    return false
  }
}
