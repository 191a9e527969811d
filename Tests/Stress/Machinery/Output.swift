import Foundation

/// Prints text at once, into a file or a pipe too.
func say(_ text: String) {
  print(text)
  fflush(nil)
}
