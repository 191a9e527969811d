// An actor that listens to signals, in Swift 6 mode.
//
//   swift run weather-station

import Signals

struct Reading: Sendable {
  var sensor: String
  var celsius: Double
}

/// Keeps what its sensors measure. Its state is the actor's: the closures of its subscriptions are isolated to it.
actor WeatherStation {
  private var highest: [String: Double] = [:]
  private var count = 0
  private let counted = Emitter<Int>(replay: 1)

  /// Listens to a sensor, for as long as the station lives.
  func listen(to sensor: Signal<Reading>) {
    sensor.subscribe(onActor: self) { station, reading in station.note(reading) }
  }

  private func note(_ reading: Reading) {
    highest[reading.sensor] = max(reading.celsius, highest[reading.sensor] ?? reading.celsius)
    count += 1
    counted.send(count)
  }

  /// Waits for so many readings, and tells the highest of each sensor.
  func report(after count: Int) async throws -> [String] {
    if self.count < count { _ = try await counted.signal.filter { $0 >= count }.firstValue() }
    return highest.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) °C" }
  }
}

@main
struct Program {
  static func main() async throws {
    let station = WeatherStation()
    let roof = Emitter<Reading>()
    let cellar = Emitter<Reading>()
    await station.listen(to: roof.signal)
    // This sensor has to be corrected; what is asynchronous can be part of a chain.
    await station.listen(to: cellar.signal.mapAsync { await calibrated($0) })
    // Sensors send from wherever they are.
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for celsius in [19.5, 23, 21] { roof.send(Reading(sensor: "roof", celsius: celsius)) } }
      group.addTask { for celsius in [11.0, 12] { cellar.send(Reading(sensor: "cellar", celsius: celsius)) } }
    }
    for line in try await station.report(after: 5) { print(line) }
  }

  private static func calibrated(_ reading: Reading) async -> Reading {
    Reading(sensor: reading.sensor, celsius: reading.celsius - 0.5)
  }
}
