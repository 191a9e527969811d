import SignalInspector
import Signals

/// A photo as the camera sends it.
struct Photo: Sendable {
  var pixels = [UInt8](repeating: 0, count: 100_000)
}

/// Makes photos small, and keeps them.
final class Album: Sendable {
  let photos = Emitter<Photo>()
  let count = Property(0)
  private let bag = DisposeBag()

  init(clock: any Clock<Duration> = ContinuousClock()) {
    photos.signal
      .mapAsync(maxConcurrent: 8) { photo in
        // Stands for the work on a photo.
        try await clock.sleep(for: .milliseconds(100))
        return photo.pixels.prefix(100)
      }
      .subscribe(onValue: { [count] _ in count.value += 1 }, onFailure: { print("no more photos: \($0)") })
      .store(in: bag)
  }
}

@main
struct PhotoImport {
  static func main() async throws {
    try await SignalInspector.start()
    let album = Album()
    for taken in 1... {
      album.photos.send(Photo())
      if taken % 25 == 0 { print("taken: \(taken), in the album: \(album.count.value)") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
