import SignalAsync

let (readings, sensor) = AsyncStream<Double>.makeStream()
for reading in [3.5, -1, 9.5] { sensor.yield(reading) }
sensor.finish()

let alarms = readings.traced("readings")
  .filter { $0 > 8 }.traced("too warm")
for await degrees in alarms { print("\(degrees) °C") }
