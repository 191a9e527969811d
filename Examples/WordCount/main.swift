// A command-line tool, in Swift 6 mode: counts the words of its standard input, and names the most frequent.
//
//   swift run word-count < README.md

import Foundation
import Signals

/// The lines of standard input, read on a thread of their own for as long as somebody listens.
let lines = Signal<String> { producer in
  Thread.detachNewThread {
    while let line = readLine(), producer.send(line) {}
    producer.finish()
  }
}

extension Signal where Value == [String] {
  /// How often each word came, told at the end.
  func counts(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<[String: Int]> {
    lift(Site("counts", fileID: fileID, line: line, function: function), state: [String: Int]()) { counts, words, _ in
      for word in words { counts[word, default: 0] += 1 }
    } end: { counts, completion, downstream in
      if case .finished = completion { try downstream.send(counts) }
    }
  }
}

do {
  // The main thread has nothing else to do: it may wait.
  let counts =
    try lines
    .map { line in line.lowercased().split { !$0.isLetter }.map(String.init) }
    .counts()
    .waitForFirstValue(timeout: .seconds(60))
  for (word, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(3) {
    print("\(count) \(word)")
  }
} catch is TimeoutError {
  FileHandle.standardError.write(Data("standard input has not ended within a minute\n".utf8))
  exit(1)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
