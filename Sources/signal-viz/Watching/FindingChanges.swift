import SignalFindings

/// The findings of a watched program, and whether they are still present.
///
/// Findings are compared like those of a baseline, see ``Baseline``. A finding is gone when two successive checks have
/// not found it. One that may be a burst, which is handled a moment later, appears when two successive checks have found
/// it.
struct FindingChanges {
  /// The present findings, in the order in which they appeared.
  private(set) var present: [Finding] = []
  /// The number of findings that appeared.
  private(set) var foundCount = 0
  /// The number of findings that disappeared.
  private(set) var goneCount = 0
  /// For each present finding, the number of successive checks that have not found it.
  private var missed: [Int] = []
  /// Those of the last check that may be bursts, and are not present.
  private var held: [Finding] = []

  /// The number of successive checks after which a missing finding is gone.
  static let patience = 2

  /// Notes the findings of one check.
  ///
  /// - Returns: The new findings, and those that are gone, in their latest form.
  mutating func note(_ all: [Finding]) -> (new: [Finding], gone: [Finding]) {
    let bursts = Baseline(present).newFindings(among: all).filter(Rules.mayBeBurst)
    let unconfirmed = Baseline(held).newFindings(among: bursts)
    held = bursts
    let found = all.filter { !unconfirmed.contains($0) }
    let new = Baseline(present).newFindings(among: found)
    var missing = Baseline(found).newFindings(among: present)
    var (stay, stayMissed, gone): ([Finding], [Int], [Finding]) = ([], [], [])
    var others = found.filter { !new.contains($0) }
    for (finding, count) in zip(present, missed) {
      if let index = missing.firstIndex(of: finding) {
        missing.remove(at: index)
        if count + 1 >= Self.patience {
          gone.append(finding)
        } else {
          stay.append(finding)
          stayMissed.append(count + 1)
        }
      } else {
        // Its figures may have changed.
        let newest = others.firstIndex { Baseline([finding]).newFindings(among: [$0]).isEmpty }
        stay.append(newest.map { others.remove(at: $0) } ?? finding)
        stayMissed.append(0)
      }
    }
    present = stay + new
    missed = stayMissed + new.map { _ in 0 }
    foundCount += new.count
    goneCount += gone.count
    return (new, gone)
  }
}
