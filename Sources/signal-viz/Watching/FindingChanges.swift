import SignalFindings

/// What has been found while a program is watched, and whether it is still there.
///
/// Findings are the same as those of a baseline are, see ``Baseline``. One is gone when it is not found in two looks in a row.
struct FindingChanges {
  /// What is there, in the order in which it came.
  private(set) var present: [Finding] = []
  /// How many findings came.
  private(set) var foundCount = 0
  /// How many of them went.
  private(set) var goneCount = 0
  /// How many looks in a row have not found one, for each that is there.
  private var missed: [Int] = []

  /// How many looks in a row must not find one.
  static let patience = 2

  /// Notes what one look has found.
  ///
  /// - Returns: What is new, and what is gone, as it was found last.
  mutating func note(_ found: [Finding]) -> (new: [Finding], gone: [Finding]) {
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
        // Its figures may be others now.
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
