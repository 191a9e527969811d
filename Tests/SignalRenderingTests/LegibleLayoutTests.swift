import Foundation
import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture
@testable import SignalRendering

@Suite("Legible layouts") struct LegibleLayoutTests {
  private struct TooSlow: Error {}

  private func plan(_ count: Int, byFile: Bool = false, all: Bool = false) throws -> LayoutPlan {
    try LayoutPlan(
      for: SampleGraphs.large(.mixed, count: count), format: .png,
      options: DrawingOptions(clustersByFile: byFile, boxLimit: all ? nil : 80))
  }

  @Test(arguments: [1_000, 10_000], [false, true]) func mixedGraphIsLegible(count: Int, byFile: Bool) throws {
    let found = try LegibleLayout.first(of: plan(count, byFile: byFile), isTooLarge: { _ in false }) { plan, _ in
      let picture = try Graphviz.draw(dot: plan.dot, engine: plan.engine, format: .svg)
      return ((), picture.size)
    }
    #expect(found.size.pixelScale >= LayoutSize.legibleScale)
    #expect((1 / 2.2...2.2).contains(found.size.width / found.size.height), "\(found.size)")
  }

  @Test func timeoutIsFollowedByLessDetail() throws {
    var counts: [Int] = []
    let found = try LegibleLayout.first(of: plan(10_000), isTooLarge: { $0 is TooSlow }) { plan, isLast in
      counts.append(plan.dot.components(separatedBy: "class=").count)
      guard isLast else { throw TooSlow() }
      return ((), LayoutSize(width: 100, height: 100))
    }
    #expect(found.size.pixelScale == 1)
    #expect(counts.count > 4 && counts[counts.count - 1] * 2 < counts[0])
  }

  @Test func severalProgramsAreLegible() throws {
    let graphs = [SampleGraphs.large(.mixed, count: 3_000), SampleGraphs.large(.mixed, count: 10_000)]
    let plan = try LayoutPlan(for: graphs, format: .png, options: DrawingOptions(boxLimit: 80))
    let found = try LegibleLayout.first(of: plan, isTooLarge: { _ in false }) { plan, _ in
      ((), try Graphviz.draw(dot: plan.dot, engine: plan.engine, format: .svg).size)
    }
    #expect(found.size.pixelScale >= LayoutSize.legibleScale)
    // A first layout that is too slow is followed by one with less detail.
    var isFirst = true
    let second = try LegibleLayout.first(of: plan, isTooLarge: { $0 is TooSlow }) { _, _ in
      if isFirst {
        isFirst = false
        throw TooSlow()
      }
      return ((), LayoutSize(width: 100, height: 100))
    }
    #expect(second.plan.dot.utf8.count < plan.dot.utf8.count)
  }

  @Test func fullDetailHasNoAlternative() throws {
    #expect(throws: TooSlow.self) {
      try LegibleLayout.first(of: plan(200, all: true), isTooLarge: { $0 is TooSlow }) { _, isLast in
        #expect(isLast)
        throw TooSlow()
      } as LegibleLayout.Found<Void>
    }
  }

  @Test func mostLegibleLayoutIsKept() throws {
    var number = 0
    let found = try LegibleLayout.first(of: plan(1_000), isTooLarge: { _ in false }) { _, _ in
      number += 1
      let side = number == 2 ? 3_000.0 : 9_000
      return (number, LayoutSize(width: side, height: side))
    }
    #expect(found.drawn == 2)
  }
}
