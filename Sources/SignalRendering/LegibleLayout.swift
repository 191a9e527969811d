/// Finds a legible layout: the best one, else the other direction, else fewer links, else all of these with less
/// detail.
package enum LegibleLayout {
  /// A layout that was drawn.
  package struct Found<Drawn> {
    package var plan: LayoutPlan
    package var drawn: Drawn
    package var size: LayoutSize
  }

  /// Draws a plan and its alternatives in turn, up to the first that is legible.
  ///
  /// - Parameters:
  ///   - plan: The plan with the most detail.
  ///   - isTooLarge: Whether an error means that less detail may succeed.
  ///   - draw: Draws a plan; `isLast` is true if no alternative has less detail.
  /// - Returns: The first legible layout, else the most legible one.
  /// - Throws: An error that is unrelated to detail, or the last error if no plan was drawn.
  package static func first<Drawn>(
    of plan: LayoutPlan, isTooLarge: (any Error) -> Bool,
    draw: (_ plan: LayoutPlan, _ isLast: Bool) throws -> (Drawn, LayoutSize)
  ) throws -> Found<Drawn> {
    var best: (found: Found<Drawn>, excess: Double)?
    var failure: (any Error)?
    var next: LayoutPlan? = plan
    while let detailed = next {
      next = detailed.withLessDetail
      for candidate in [detailed] + detailed.alternatives {
        do {
          let (drawn, size) = try draw(candidate, next == nil)
          let excess = size.excess(countingShape: candidate.countsShape)
          if best.map({ excess < $0.excess }) ?? true {
            best = (Found(plan: candidate, drawn: drawn, size: size), excess)
          }
          if excess <= 1, let best { return best.found }
        } catch {
          guard isTooLarge(error) else { throw error }
          failure = error
        }
      }
    }
    if let best { return best.found }
    throw failure ?? RenderingError(step: .layout, messages: [])
  }
}
