// A program of many nodes, for pictures of large graphs: `many-nodes NODES`. Sources feed eight chains of three nodes each; ten times a second a tenth of
// the sources send. It says where it is served, and ends when its standard input does.
import Foundation
import SignalInspector
import Signals

let wanted = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 2_000
let inspector = try await SignalInspector.start()
let bag = DisposeBag()
var sources: [Emitter<Int>] = []
for number in 0..<max(1, wanted / 25) {
  let source = Emitter<Int>()
  let signal = source.signal.named("source \(number)")
  for chain in 0..<8 {
    signal.map { $0 + chain }.named("sum \(number).\(chain)")
      .filter { $0 >= 0 }
      .subscribe { _ in }
      .store(in: bag)
  }
  sources.append(source)
}
let all = sources
Signal.interval(every: .milliseconds(100), on: .qos(.utility)).named("clock")
  .subscribe { tick in
    for index in stride(from: tick % 10, to: all.count, by: 10) { all[index].send(tick) }
  }
  .store(in: bag)
try FileHandle.standardOutput.write(contentsOf: Data((inspector.socketPath + "\n").utf8))
while readLine() != nil {}
bag.close()
