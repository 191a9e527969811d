import AsyncAlgorithms
import SignalAsync
import SignalRecording

/// Where a van is, and how warm its cold box.
public struct Report: Sendable {
  /// The number of the van.
  public var van: Int
  /// How far it has come.
  public var kilometre: Int
  /// The temperature in its box.
  public var degrees: Double
}

/// Vans that report, and what becomes of their reports: no signal is in it.
public struct Fleet: Sendable {
  /// How often each van reports.
  let pace: Duration
  /// How many reports of each van come.
  let count: Int

  /// Makes a fleet of vans.
  ///
  /// - Parameters:
  ///   - pace: How often each van reports.
  ///   - count: How many reports of each van come.
  public init(every pace: Duration, count: Int = .max) {
    self.pace = pace
    self.count = count
  }

  /// What a van reports, again and again.
  func reports(of van: Int) -> some AsyncSequence<Report, Never> & Sendable {
    let numbers = AsyncStream(unfolding: { [count, pace, state = Counter()] in
      let number = await state.next()
      guard number < count, (try? await Task.sleep(for: pace)) != nil else { return Int?.none }
      return number
    })
    return numbers.map { Report(van: van, kilometre: $0, degrees: 4 + Double(($0 + van) % 20) / 4) }
      .traced("van \(van)")
  }

  /// Counts the reports, tells drivers whose cold box is too warm, and keeps the map up to date, until the vans are silent.
  public func watch(alarm: @escaping @Sendable (Report) async -> Void) async {
    await withTaskGroup { group in
      group.addTask { await warn(alarm) }
      group.addTask { await drawMap() }
      group.addTask { await keepDiary() }
    }
  }

  private func warn(_ alarm: @Sendable (Report) async -> Void) async {
    let limit = AsyncStream<Double>.makeStream()
    limit.continuation.yield(8)
    limit.continuation.finish()
    let reports = merge(reports(of: 7), reports(of: 12)).traced("all vans")
    let alarms = combineLatest(reports, limit.stream.traced("limit"))
      .filter { $0.degrees > $1 }.traced("too warm")
      .map { report, _ in report }
      .removeDuplicates { $0.van == $1.van }.traced("alarms")
    for await report in alarms { await alarm(report) }
  }

  private func drawMap() async {
    let places = reports(of: 3).map(\.kilometre)
      .adjacentPairs().traced("stretches")
      .chunks(ofCount: 5).traced("map")
    for await _ in places {}
  }

  /// Each line takes longer than a report: whoever looks sees who is busy.
  private func keepDiary() async {
    for await _ in reports(of: 5).map(\.degrees).traced("diary") { try? await Task.sleep(for: pace * 20) }
  }
}

private actor Counter {
  private var last = -1

  func next() -> Int {
    last += 1
    return last
  }
}
