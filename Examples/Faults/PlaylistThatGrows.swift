import Signals

/// Whenever the song changes, the player listens to its progress, and goes on listening to that of all songs before.
struct PlaylistThatGrows: Fault {
  private let progress = Emitter<Double>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    let songs = clock.filter { $0 % 5 == 0 }
    songs.subscribe { [progress] song in
      // The fault: the bag of the player takes in a subscription for each song, and lets none go.
      progress.signal.map { "song \(song): \($0)" }.subscribe { _ in }.store(in: bag)
    }.store(in: bag)
    clock.map { Double($0) }.subscribe { [progress] in progress.send($0) }.store(in: bag)
  }
}
