import SignalFindings
import SignalGraph
import Signals
import Testing

/// Programs without fault, in which much goes on: no rule finds anything, whenever one looks.
@Suite("healthy programs") struct HealthyProgramTests {
  private struct Failure: Error {}
  private let bag = DisposeBag()
  private let scheduler = VirtualTimeScheduler()

  /// Looks at a program again and again while something happens.
  private func expectNothingFound(
    in program: WatchedProgram, rounds: Int = 12, every seconds: Int = 10, _ round: (Int) throws -> Void
  ) throws {
    for number in 0..<rounds {
      let found = try program.findings(for: Double(seconds)) {
        try round(number)
        try scheduler.advance(by: .seconds(seconds))
      }
      #expect(found == [])
    }
    #expect(Rules.findings(in: Observation(program.recorder.snapshot())) == [])
  }

  @Test func aSearchScreen() throws {
    let program = WatchedProgram()
    let (query, isOnline, selected) = (Property(""), Property(true), Emitter<Int>())
    let (results, error) = (Property<[String]>([]), Property(""))
    let scheduler = scheduler
    @Sendable func search(_ text: String) -> Signal<[String]> {
      text.hasSuffix("3") ? .fail(Failure()) : .just([text]).delay(for: .milliseconds(200), on: scheduler)
    }
    program.make {
      let texts = query.signal.debounce(for: .milliseconds(300), on: scheduler).removeDuplicates().share(replay: 1)
      texts
        .flatMapLatest { text in
          search(text).retry(after: .constant(.milliseconds(500)), on: scheduler)
            .timeout(after: .seconds(2), on: scheduler).catch { _ in .just([]) }
        }
        .subscribe { results.value = $0 }.store(in: bag)
      texts.combineLatest(isOnline.signal).map { $0.isEmpty || !$1 }.removeDuplicates().subscribe { _ in }
        .store(in: bag)
      results.signal.combineLatest(error.signal).subscribe { _ in }.store(in: bag)
      selected.signal.withLatest(from: results.signal).compactMap { index, rows in rows.dropFirst(index).first }
        .subscribe { _ in }.store(in: bag)
      merge(results.signal.map { _ in "" }, isOnline.signal.map { $0 ? "" : "offline" }).subscribe { error.value = $0 }
        .store(in: bag)
    }
    try expectNothingFound(in: program) { round in
      // Each keystroke comes after a tenth of a second.
      for key in 0..<12 {
        query.value += "\(key % 10)"
        try scheduler.advance(by: .milliseconds(100))
      }
      if round % 3 == 0 { selected.send(0) }
      if round % 4 == 0 { isOnline.value.toggle() }
      if round % 2 == 0 { query.value = "" }
    }
  }

  @Test func aDashboard() throws {
    let program = WatchedProgram()
    let scheduler = scheduler
    let threshold = Property(30)
    func sensor(_ number: Int) -> Signal<Int> {
      Signal<Int>.interval(every: .milliseconds(250), on: scheduler).map { $0 % 40 + number }
    }
    program.make {
      let sensors = (1...5).map { sensor($0).share(replay: 1) }
      combineLatest(sensors).map { $0.reduce(0, +) / $0.count }.throttle(for: .seconds(1), on: scheduler, latest: true)
        .subscribe { _ in }.store(in: bag)
      for sensor in sensors {
        sensor.scan(0, max).subscribe { _ in }.store(in: bag)
        sensor.collect(for: .seconds(5), on: scheduler).map(\.count).subscribe { _ in }.store(in: bag)
        sensor.combineLatest(threshold.signal).map { $0 > $1 }.removeDuplicates().subscribe { _ in }.store(in: bag)
        sensor.receive(on: scheduler).sample(every: .seconds(1), on: scheduler).subscribe { _ in }.store(in: bag)
        zip(sensor, sensor.dropFirst()).map { $1 - $0 }.subscribe { _ in }.store(in: bag)
      }
    }
    try expectNothingFound(in: program) { round in threshold.value = 30 + round }
  }

  @Test func aChatWithScreensThatComeAndGo() throws {
    let program = WatchedProgram()
    let scheduler = scheduler
    let (incoming, isConnected) = (Emitter<String>(), Property(true))
    let server = Emitter<Emitter<String>>(replay: 1)
    program.make {
      Signal<String>.deferred { server.signal.first().flatMap { $0.signal } }
        .retry(after: .exponential(first: .seconds(1), limit: .seconds(8)), on: scheduler)
        .subscribe { incoming.send($0) }.store(in: bag)
      incoming.signal.scan(0) { count, _ in count + 1 }.combineLatest(isConnected.signal).subscribe { _ in }.store(
        in: bag)
    }
    var screens: [DisposeBag] = []
    var line = Emitter<String>()
    server.send(line)
    try expectNothingFound(in: program) { round in
      let screen = GraphScope("chat")
      let bag = DisposeBag()
      screen.run {
        incoming.signal.filter { !$0.isEmpty }.subscribe { _ in }.store(in: bag)
        isConnected.signal.subscribe { _ in }.store(in: bag)
        incoming.signal.timeout(after: .seconds(60), on: scheduler)
          .subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
        Signal<Int>.interval(every: .seconds(30), on: scheduler).prefix(untilOutputFrom: incoming.signal.dropFirst(50))
          .subscribe { _ in }.store(in: bag)
      }
      screens.append(bag)
      for number in 0..<150 {
        line.send("message \(number)")
        try scheduler.advance(by: .milliseconds(40))
      }
      if screens.count > 2 {
        screens.removeFirst().disposeAll()
      }
      if round % 3 == 2 {
        // The line breaks, and comes again.
        let broken = line
        line = Emitter<String>()
        server.send(line)
        isConnected.value = false
        broken.fail(Failure())
        isConnected.value = true
      }
    }
  }
}
