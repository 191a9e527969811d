import Foundation

/// glibc drops lock prefixes while a process has one thread; a second one, parked for ever, keeps locks honest.
package enum SecondThread {
  package static func park() {
    let thread = Thread { while true { Thread.sleep(forTimeInterval: 3_600) } }
    thread.start()
  }
}
