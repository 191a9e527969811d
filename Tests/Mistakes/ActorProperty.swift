import Signals

// The cure: `.subscribe(onActor: self) { store, name in store.name = name }`.
actor Store {
  var name = ""

  func watch() {
    users.signal
      .map(\.name)
      .removeDuplicates()
      .subscribe(with: self) { $0.name = $1 }  // error: actor-isolated property 'name' can not be mutated
  }
}
