import Signals

/// A chain of names whose end nobody wrote.
struct ClosureThatIsForgotten: Fault {
  private let names = Emitter<String>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: nothing says what is to be done with a name.
    names.signal.removeDuplicates().subscribe().store(in: bag)
    clock.filter { $0 % 20 == 0 }.subscribe { [names] in names.send("name \($0)") }.store(in: bag)
  }
}
