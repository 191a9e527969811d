import SignalGraph
import SignalPicture

/// The rows in which viewers draw events: one for each thread, and more if threads of one name run concurrently.
struct TraceRows {
  private struct Row {
    var index: Int
    /// The ends of the current events.
    var ends: [UInt64] = []
  }

  private struct Thread {
    var name: String
    var quotedName: String
    var rows: [Row] = []
  }

  private var threads: [String: Thread] = [:]
  /// The names of the rows, in the order of their creation.
  private(set) var names: [String] = []

  /// The row in which an event is drawn; call in the order of time.
  mutating func row(of event: GraphEvent) -> Int {
    let end = event.time + event.duration
    var thread = threads[event.thread] ?? Self.thread(event.thread)
    defer { threads[event.thread] = thread }
    for index in thread.rows.indices {
      while let last = thread.rows[index].ends.last, last <= event.time { thread.rows[index].ends.removeLast() }
      if thread.rows[index].ends.last.map({ end <= $0 }) ?? true {
        thread.rows[index].ends.append(end)
        return thread.rows[index].index
      }
    }
    names.append(thread.rows.isEmpty ? thread.name : "\(thread.name) (\(thread.rows.count + 1))")
    thread.rows.append(Row(index: names.count - 1, ends: [end]))
    return names.count - 1
  }

  /// The numbers of the rows, which viewers show as those of threads: a thread that has only a number keeps it, and the
  /// main thread has the number of the process, by which viewers recognise it and put it first.
  func numbers(main: Int) -> [Int] {
    let wanted = names.map { name in
      name == "main" ? main : name.wholeMatch(of: /thread ([1-9][0-9]{0,8})/).flatMap { Int($0.1) }
    }
    var taken: Set<Int> = [main]
    var numbers = wanted.enumerated().map { index, number in
      number.flatMap { names[index] == "main" || taken.insert($0).inserted ? $0 : nil }
    }
    var next = taken.subtracting([main]).max() ?? 0
    for index in numbers.indices where numbers[index] == nil {
      repeat { next += 1 } while next == main
      numbers[index] = next
    }
    return numbers.compactMap(\.self)
  }

  /// The name of a thread as a JSON string.
  func quotedName(of thread: String) -> String { (threads[thread] ?? Self.thread(thread)).quotedName }

  private static func thread(_ name: String) -> Thread {
    let name = name.displayable(limit: 100)
    return Thread(name: name, quotedName: TraceFile.quoted(name))
  }
}
