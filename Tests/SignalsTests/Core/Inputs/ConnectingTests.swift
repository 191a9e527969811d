import Probes
import Signals
import Testing

/// Inputs that deliver, end or are disposed while they are being connected.
@Suite("inputs that are busy while they are connected")
struct ConnectingTests {
  enum Input: CaseIterable, Sendable { case property, just, sequence, replayed, shared, custom, empty, failed }

  private struct Sources: Sendable {
    let property = Property(1)
    let replayed = Emitter<Int>(replay: 2)
    let hot = Emitter<Int>()

    func make(_ input: Input) -> Signal<Int> {
      switch input {
      case .property: property.signal
      case .just: .just(1)
      case .sequence: .sequence([0, 1])
      case .replayed: replayed.signal.map { $0 }
      case .shared: property.signal.share(replay: 1)
      case .custom:
        Signal { producer in
          producer.send(1)
          producer.finish()
          producer.send(2)
        }
      case .empty: .empty()
      case .failed: .fail(Failure(number: 1))
      }
    }
  }

  enum Kind: CaseIterable, Sendable { case combineLatest, zip, withLatest, flatMap }

  private static func combine(_ kind: Kind, _ first: Signal<Int>, _ second: Signal<Int>) -> Signal<Int> {
    switch kind {
    case .combineLatest: combineLatest(first, second).map { (row: (Int, Int)) in row.0 + row.1 }
    case .zip: zip(first, second).map { (row: (Int, Int)) in row.0 + row.1 }
    case .withLatest: second.withLatest(from: first).map { (row: (Int, Int)) in row.0 + row.1 }
    case .flatMap: first.flatMap { value in second.map { $0 + value } }
    }
  }

  @Test("Laws 1, 9 and 16: every pair of inputs", arguments: Kind.allCases, Input.allCases)
  func pairs(_ kind: Kind, _ firstInput: Input) {
    for secondInput in Input.allCases {
      for count in [1, 2, 100] {
        let sources = Sources()
        let first = sources.make(firstInput)
        let second = firstInput == secondInput ? first : sources.make(secondInput)
        sources.replayed.send(0)
        sources.replayed.send(1)
        let log = EventLog<Int>()
        let subscription = Self.combine(kind, first, second).prefix(count).log(to: log)
        sources.property.value = 1
        sources.replayed.send(1)
        let name = "\(kind) of \(firstInput) and \(secondInput), \(count)"
        #expect(log.ends.count <= 1, "\(name)")
        if let end = log.events.firstIndex(where: { if case .value = $0 { false } else { true } }) {
          #expect(end == log.events.count - 1, "\(name)")
          #expect(subscription.isDisposed, "\(name)")
        }
        #expect(log.values.count <= count, "\(name)")
        let neither = firstInput != .empty && secondInput != .empty && firstInput != .failed && secondInput != .failed
        if neither {
          #expect(log.values.count >= 1 && log.values.allSatisfy { $0 <= 2 }, "\(name)")
          if kind != .zip { #expect(log.values.last == 2 || log.values.count == count, "\(name)") }
        } else if firstInput == .failed || (secondInput == .failed && kind != .flatMap && firstInput != .empty) {
          #expect(log.events.count == 1 && log.ends.count == 1, "\(name)")
        } else {
          #expect(log.values.isEmpty, "\(name)")
        }
        subscription.dispose()
        #expect(sources.property.subscriberCount == 0, "\(name)")
        #expect(sources.replayed.subscriberCount == 0, "\(name)")
      }
    }
  }

  @Test("Laws 2, 7 and 9: a handler that writes to its inputs while they are connected", arguments: Kind.allCases)
  func writing(_ kind: Kind) {
    let first = Property(0)
    let second = Property(0)
    let log = EventLog<Int>()
    let subscription = Self.combine(kind, first.signal.map { $0 }, second.signal).prefix(4).handle { _ in
      first.value += 1
      second.value += 1
    }.log(to: log)
    #expect(log.values.first == 0)
    #expect(log.values == log.values.sorted() || kind == .flatMap)
    #expect(log.ends.count == 1)
    #expect(subscription.isDisposed)
    #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
  }

  @Test("Laws 8, 9 and 11: an error in any stage of a long run ends that branch once, and nothing else")
  func throwing() {
    for position in 0..<70 {
      let emitter = Emitter<Int>()
      let life = LifeCount()
      let sibling = EventLog<Int>()
      let log = EventLog<Int>()
      let nextLog = EventLog<Int>()
      let before = emitter.signal.map { $0 }.log(to: sibling)
      var signal = emitter.signal
      for index in 0..<70 {
        signal = signal.map { [token = life.token()] value in
          token.touch()
          if index == position, value == 2 { throw Failure(number: position) }
          return value
        }
      }
      let subscription = signal.log(to: log)
      signal = .just(0)
      let after = emitter.signal.map { $0 }.log(to: nextLog)
      for value in 1...3 { emitter.send(value) }
      #expect(log.values == [1])
      #expect(log.ends.count == 1)
      #expect(sibling.values == [1, 2, 3] && nextLog.values == [1, 2, 3])
      #expect(sibling.ends.isEmpty && nextLog.ends.isEmpty)
      #expect(emitter.subscriberCount == 2)
      #expect(life.alive == 0)
      withExtendedLifetime((before, subscription, after)) {}
    }
  }

  @Test(
    "Laws 7 and 9: disposed by an operator's closure: that value is the last, and everything is released"
  )
  func disposingInside() {
    for isMemory in [false, true] {
      let emitter = Emitter<Int>(replay: isMemory ? 1 : 0)
      let life = LifeCount()
      let log = EventLog<Int>()
      let subscription = Box<Subscription?>(nil)
      subscription.value = emitter.signal.map { [token = life.token()] value in
        token.touch()
        if value == 2 {
          subscription.value?.dispose()
          subscription.value = nil
          emitter.send(3)
        }
        return value
      }.filter { $0 > 0 }.log(to: log)
      emitter.send(1)
      emitter.send(2)
      // The value that the closure works on is let through, as law 7 says; what is sent after the disposal is not.
      #expect(log.values == [1, 2])
      #expect(life.alive == 0)
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 2: two emitters that feed each other through shared runs are entered again only afterwards")
  func mutual() {
    let left = Emitter<Int>()
    let right = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    let run: @Sendable (Signal<Int>) -> Signal<Int> = { $0.map { $0 + 1 }.filter { $0 < 20 } }
    bag += run(left.signal).subscribe { value in
      log.append(.value(value))
      right.send(value)
    }
    bag += run(right.signal).subscribe { value in
      log.append(.value(value))
      left.send(value)
    }
    left.send(0)
    #expect(log.values == Array(1..<20))
  }

  @Test("Laws 1, 8 and 11: an error over a value that a newcomer is handed")
  func throwingAtOnce() {
    let property = Property(1)
    let replayed = Emitter<Int>(replay: 2)
    replayed.send(1)
    replayed.send(2)
    let signals = [
      property.signal, replayed.signal, replayed.signal.share(replay: 1), .just(1), .sequence([1, 2]),
      property.signal.map { $0 },
    ]
    for (index, signal) in signals.enumerated() {
      let life = LifeCount()
      let sibling = EventLog<Int>()
      let log = EventLog<Int>()
      let other = signal.map { $0 }.log(to: sibling)
      let seen = sibling.events.count
      let subscription = signal.filter { [token = life.token()] _ in
        token.touch()
        throw Failure(number: index)
      }.map { $0 }.log(to: log)
      #expect(log.events.count == 1 && log.ends.count == 1)
      #expect(subscription.isDisposed && sibling.events.count == seen)
      property.value += 1
      replayed.send(3)
      #expect(log.events.count == 1)
      other.dispose()
    }
    #expect(property.subscriberCount == 0 && replayed.subscriberCount == 0)
  }

  private static func noValues<Value: Sendable>(_ type: Value.Type) {
    let log = EventLog<Value>()
    let bag = DisposeBag()
    let property = Property(1)
    bag += Signal<Value>.empty().map { $0 }.filter { _ in true }.log(to: log)
    bag += combineLatest(Signal<Value>.empty().map { $0 }, property.signal).map { (row: (Value, Int)) in row.0 }.log(
      to: log)
    bag += zip(property.signal, Emitter<Value>(replay: 2).signal).map { (row: (Int, Value)) in row.1 }.log(to: log)
    bag += property.signal.withLatest(from: Signal<Value>.never()).map { (row: (Int, Value)) in row.1 }.log(to: log)
    #expect(log.values.isEmpty && log.ends.count == 3)
    #expect(property.subscriberCount == 1)
  }

  @Test("types that have no values")
  func uninhabited() {
    Self.noValues(Never.self)
    Self.noValues(Int.self)
  }
}
