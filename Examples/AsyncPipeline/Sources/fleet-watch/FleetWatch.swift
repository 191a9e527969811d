import Fleet
import SignalInspector

/// Watches vans until it is stopped. Look at it while it runs: `signal-viz render --name FleetWatch -o fleet.png`.
@main
struct FleetWatch {
  static func main() async throws {
    let inspector = try await SignalInspector.start()
    print("FleetWatch is running; its graph is served at \(inspector.socketPath). Stop it with Ctrl-C.")
    await Fleet(every: .milliseconds(50)).watch { report in
      try? await Task.sleep(for: .milliseconds(20))
      print("van \(report.van), kilometre \(report.kilometre): \(report.degrees) °C")
    }
  }
}
