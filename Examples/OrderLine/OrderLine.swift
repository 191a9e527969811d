// Three programs that hand orders on: a shop sends what is bought to a kitchen, which sends what is cooked to a till.
//
//   swift build
//   .build/debug/OrderLine shop | .build/debug/OrderLine kitchen | .build/debug/OrderLine till
//
// While they run, `swift run signal-viz render --every-program -o orders.svg` draws all three in one picture.

import Dispatch
import Foundation
import SignalInspector
import Signals

/// The lines that another program sends, from standard input.
let received = Signal<String> { producer in
  Thread.detachNewThread {
    while let line = readLine(), producer.send(line) {}
    producer.finish()
  }
}

/// Sends a line to another program, or to a terminal: whatever standard output leads to.
@Sendable func send(_ line: String) {
  // Whoever reads may have gone.
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

let bag = DisposeBag()
let roles = ["shop": openShop, "kitchen": openKitchen, "till": openTill]
guard let role = CommandLine.arguments.dropFirst().first, let open = roles[role] else {
  print("What is it, a shop, a kitchen or a till? Such as: OrderLine shop")
  exit(64)
}
// As the picture is to call it.
ProcessInfo.processInfo.processName = role
let inspector = try await SignalInspector.start()
open()
try? FileHandle.standardError.write(contentsOf: Data("the \(role) is open\n".utf8))
while true { try await Task.sleep(for: .seconds(3_600)) }

/// Somebody buys something twice a second.
func openShop() {
  let menu = ["soup", "bread", "salad", "cake"]
  let customers = Signal.interval(every: .milliseconds(500), on: .qos(.utility)).named("customers")
    .map { menu[$0 % menu.count] }.share().named("baskets")
  customers
    .scan(0) { count, _ in count + 1 }.named("sold today")
    .subscribe { _ in }
    .store(in: bag)
  customers
    .filter { $0 != "cake" }.named("not from the shelf")
    .map { "order \($0)" }.named("orders out", link: .to("orders"))
    .subscribe { send($0) }
    .store(in: bag)
}

/// What is ordered is cooked, which takes a while, and told to the till.
func openKitchen() {
  received.named("orders in", link: .from("orders"))
    .compactMap { $0.split(separator: " ").last.map(String.init) }.named("recipe")
    .delay(for: .milliseconds(200), on: .qos(.utility)).named("stove")
    .map { "cooked \($0)" }.named("dishes out", link: .to("dishes"))
    .subscribe { send($0) }
    .store(in: bag)
}

/// Adds up what was cooked, and tells a printer that is not there.
func openTill() {
  let dishes = received.named("dishes in", link: .from("dishes")).share().named("bill")
  dishes
    .scan(0) { total, dish in total + dish.utf8.count }.named("total")
    .subscribe { _ in }
    .store(in: bag)
  dishes
    .map { "1 × \($0)" }.named("receipt", link: .to("receipts"))
    .subscribe { send($0) }
    .store(in: bag)
}
