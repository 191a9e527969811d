import Dispatch
import Signals

/// Chains as they should be: nothing is to be found here.
final class Kitchen: Sendable {
  private let temperature = Property(20.0)
  private let doors = Emitter<Bool>()
  private let orders = Emitter<String>()
  private let bag = DisposeBag()
  private let worker: any Scheduler = .qos(.userInitiated)

  init() {
    let tick = Signal.interval(every: .milliseconds(50), on: worker).named("tick").share()
    tick.map { 20 + Double($0 % 40) / 10 }.subscribe { [temperature] in temperature.value = $0 }.store(in: bag)
    tick.filter { $0 % 16 == 0 }.map { $0 % 32 == 0 }.subscribe { [doors] in doors.send($0) }.store(in: bag)
    tick.filter { $0 % 7 == 0 }.map { "soup \($0)" }.subscribe { [orders] in orders.send($0) }.store(in: bag)
    warn()
    cook()
    count()
    open()
    hang()
  }

  func close() { bag.close() }

  private func warn() {
    temperature.signal.named("temperature").map { $0 > 23 }.removeDuplicates().filter { $0 }
      .subscribe { _ in }.store(in: bag)
    temperature.signal.combineLatest(doors.signal).map { $0 > 22 && $1 }.removeDuplicates()
      .subscribe { _ in }.store(in: bag)
    // A pause comes now and then.
    orders.signal.debounce(for: .milliseconds(100), on: worker).subscribe { _ in }.store(in: bag)
    temperature.signal.sample(by: doors.signal).subscribe { _ in }.store(in: bag)
  }

  private func cook() {
    orders.signal.mapAsync(maxConcurrent: 2) { order in
      try await Task.sleep(for: .milliseconds(30))
      return order
    }.receive(on: worker).subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    orders.signal.flatMapLatest { [worker] order in
      Signal.interval(every: .milliseconds(60), on: worker).prefix(3).map { "\(order), step \($0)" }
    }.subscribe { _ in }.store(in: bag)
  }

  private func count() {
    orders.signal.scan(0) { count, _ in count + 1 }.subscribe { _ in }.store(in: bag)
    doors.signal.zip(doors.signal.map { !$0 }).subscribe { _ in }.store(in: bag)
    Signal.merge(orders.signal.map { _ in "order" }, doors.signal.map { $0 ? "open" : "closed" })
      .subscribe { _ in }.store(in: bag)
    orders.signal.withLatest(from: temperature.signal).subscribe { _ in }.store(in: bag)
  }

  /// A dialog that comes and goes, with everything that belongs to it.
  private func open() {
    let dialog = Property<DisposeBag?>(nil)
    doors.signal.subscribe { [dialog, temperature] isOpen in
      guard isOpen else { return dialog.value = nil }
      let bag = DisposeBag()
      temperature.signal.map { "\($0) degrees" }.subscribe { _ in }.store(in: bag)
      dialog.value = bag
    }.store(in: bag)
  }

  /// Order slips, each of which follows the temperature for as long as it hangs; and a sign that begins anew each time.
  private func hang() {
    let slips = Property<[Slip]>([])
    let sign = Sign(temperature.signal)
    orders.signal.enumerated().subscribe { [slips, temperature] number, _ in
      let slip = Slip()
      slip.refresh(from: temperature.signal)
      slips.value = slips.value.suffix(2) + [slip]
      if number % 5 == 0 { sign.refresh() }
    }.store(in: bag)
    temperature.signal.handle(onValue: { [slips] _ in _ = slips.value.count }).subscribe().store(in: bag)
  }

  private final class Slip: DisposeBagOwner {
    let disposeBag = DisposeBag()

    func refresh(from temperature: Signal<Double>) { temperature.subscribe(with: self) { _, _ in } }
  }

  private final class Sign: Sendable {
    private let temperature: Signal<Double>
    private let bag = DisposeBag()

    init(_ temperature: Signal<Double>) { self.temperature = temperature }

    func refresh() {
      bag.disposeAll()
      temperature.subscribe(with: self, in: bag) { _, _ in }
    }
  }
}
