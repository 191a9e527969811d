import Foundation
import Measuring
import OperatorCosts

/// How costs of operators are written.
package enum OperatorTable {
  package static func cells(_ cost: OperatorCost) -> [String] {
    [
      number(cost.blocksMade), number(cost.live.blocks), Figures.grouped(Int(cost.live.bytes.rounded())),
      number(cost.blocksPerValue),
    ]
  }

  /// To the tenth where that differs from a whole number: arrays that grow now and then make fractions.
  private static func number(_ value: Double?) -> String {
    guard let value else { return "-" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? Figures.grouped(Int(tenths)) : String(format: "%.1f", tenths)
  }
}
