import MainQueueTrial

/// The main queue is served by an `async` main function.
@main
struct MainByAsync {
  static func main() async { await MainQueueTrial().run() }
}
