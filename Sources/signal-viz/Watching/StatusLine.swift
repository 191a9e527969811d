import Foundation
import SignalMarbles

/// Status messages: on a terminal one line that is updated, elsewhere a line for each message.
final class StatusLine {
  private let isRewritten = Screen.isPossible
  private var isOpen = false

  func say(_ words: String) throws {
    guard isRewritten else { return try Terminal.write(line: words.withVisibleControls) }
    try Terminal.write(Data("\r\(fitting(words.withVisibleControls))\u{1B}[K".utf8))
    isOpen = true
  }

  /// Ends the updated line, so that other output can follow.
  func leave() throws {
    if isOpen { try Terminal.write(line: "") }
    isOpen = false
  }

  /// The part of a text that fits on a line of the terminal.
  private func fitting(_ words: String) -> String {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return words }
    let width = Int(size.ws_col) - 1
    guard DisplayWidth.of(words) > width else { return words }
    var short = words
    while !short.isEmpty, DisplayWidth.of(short) > width - 1 { short.removeLast() }
    return short + "…"
  }
}
