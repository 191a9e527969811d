import SignalTesting
import Signals
import Testing

@testable import PhotoImportMended

@Test func theAlbumKeepsUp() throws {
  try withVirtualTime { time in
    try assertHealthy {
      let album = Album(clock: time)
      for _ in 1...500 {
        album.photos.send(Photo())
        try time.advance(by: .milliseconds(20))
      }
    }
  }
}
