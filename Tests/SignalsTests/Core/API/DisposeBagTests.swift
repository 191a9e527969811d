import Dispatch
import Probes
import Signals
import Testing

/// A disposable of a user's: it does what it is told when it is asked and when it is disposed.
private final class Item: Disposable {
  private let isOver = Box(false)
  private let onAsking: @Sendable () -> Void
  private let onDisposing: @Sendable () -> Void

  init(_ onDisposing: @escaping @Sendable () -> Void = {}, asked onAsking: @escaping @Sendable () -> Void = {}) {
    self.onAsking = onAsking
    self.onDisposing = onDisposing
  }

  var isDisposed: Bool {
    onAsking()
    return isOver.value
  }

  func dispose() {
    onDisposing()
    isOver.value = true
  }

  /// Ends by itself, without being disposed.
  func end() { isOver.value = true }
}

@Suite("DisposeBag")
struct DisposeBagTests {
  @Test("a bag disposes in the order of adding, when emptied, closed and released", arguments: 0..<3)
  func order(way: Int) {
    let log = Journal<Int>()
    var bag: DisposeBag? = DisposeBag()
    for index in 0..<100 { bag?.insert(Item { log.append(index) }) }
    switch way {
    case 0: bag?.disposeAll()
    case 1: bag?.close()
    default: bag = nil
    }
    #expect(log.entries == Array(0..<100))
    withExtendedLifetime(bag) {}
  }

  @Test("Law 4: an item that asks the bag when it is asked whether it has ended")
  func asking() {
    let bag = DisposeBag()
    let asked = Box(0)
    for _ in 0..<200 {
      bag.insert(
        Item(asked: { [weak bag] in
          asked.withLock { $0 += 1 }
          _ = bag?.isDisposed
          if asked.value == 40 { bag?.insert(Item()) }
        }))
    }
    #expect(asked.value > 0)
    #expect(bag.count == 201)
    bag.close()
    #expect(bag.count == 0)
  }

  @Test("Law 4: an item that empties the bag when it is asked whether it has ended")
  func emptyingWhileAsked() {
    let bag = DisposeBag()
    let disposed = Box<Set<Int>>([])
    for index in 0..<100 {
      bag.insert(
        Item(
          { _ = disposed.withLock { $0.insert(index) } }, asked: { [weak bag] in if index == 20 { bag?.disposeAll() } })
      )
    }
    bag.disposeAll()
    #expect(disposed.value.count == 100)
  }

  @Test("Law 7: when two threads dispose at once, each may rely on its own call", arguments: 0..<3)
  func twoThreads(way: Int) {
    let bag = DisposeBag()
    let entered = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let isFirst = Box(true)
    let disposed = Journal<Int>()
    // The first call blocks in here; the second passes.
    bag.insert(
      Item {
        let blocks = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        guard blocks else { return }
        entered.signal()
        mayGoOn.wait()
      })
    for index in 1...3 { bag.insert(Item { disposed.append(index) }) }
    onThreads {
      bag.disposeAll()
    } _: {
      entered.wait()
      switch way {
      case 0: bag.disposeAll()
      case 1: bag.close()
      default: bag.dispose()
      }
      #expect(disposed.entries == [1, 2, 3])
      mayGoOn.signal()
    }
    #expect(disposed.entries == [1, 2, 3, 1, 2, 3])
    #expect(bag.count == 0)
  }

  @Test("Law 7: every item is disposed when either of two calls returns")
  func eitherCall() {
    for _ in 0..<300 {
      let bag = DisposeBag()
      let items = (0..<20).map { _ in Item() }
      for item in items { item.store(in: bag) }
      onThreads(2) { _ in
        bag.disposeAll()
        let left = items.count { !$0.isDisposed }
        #expect(left == 0)
      }
    }
  }

  @Test("Law 4: an item that empties its own bag neither loops nor waits")
  func emptyingItself() {
    let bag = DisposeBag()
    let log = Journal<Int>()
    for index in 0..<20_000 {
      bag.insert(
        Item { [weak bag] in
          log.append(index)
          bag?.disposeAll()
          if index == 7 { bag?.insert(Item { log.append(-1) }) }
          if index == 9 { bag?.close() }
        })
    }
    bag.disposeAll()
    #expect(log.entries.filter { $0 >= 0 } == Array(0..<20_000))
    #expect(log.entries.count { $0 == -1 } == 1)
    #expect(bag.isDisposed)
  }

  @Test("Law 4: two threads whose items empty the bag of the other")
  func crosswise() {
    for _ in 0..<200 {
      let bags = [DisposeBag(), DisposeBag()]
      let disposed = Box(0)
      for index in 0..<2 {
        for _ in 0..<10 {
          bags[index].insert(
            Item { [weak other = bags[1 - index]] in
              disposed.withLock { $0 += 1 }
              other?.disposeAll()
            })
        }
      }
      onThreads(2) { bags[$0].disposeAll() }
      #expect(disposed.value >= 20)
    }
  }

  @Test("Law 15: what has ended by itself does not pile up, also after the bag held much more")
  func pruning() {
    let bag = DisposeBag()
    let life = LifeCount()
    func add(_ count: Int) -> [Item] {
      (0..<count).map { _ in
        let token = life.token()
        let item = Item { token.touch() }
        bag.insert(item)
        return item
      }
    }
    for item in add(50_000) { item.end() }
    bag.disposeAll()
    #expect(life.alive == 0)
    for _ in 0..<5_000 { for item in add(1) { item.end() } }
    #expect(life.alive <= 100)
    bag.close()
    #expect(life.alive == 0)
  }

  @Test("Law 15: an item is asked a constant number of times on average")
  func askedSeldom() {
    let bag = DisposeBag()
    let asked = Box(0)
    let count = 20_000
    for _ in 0..<count { bag.insert(Item(asked: { asked.withLock { $0 += 1 } })) }
    #expect(asked.value <= 4 * count)
  }

  @Test("adding, emptying and closing on four threads loses nothing")
  func racing() {
    for _ in 0..<50 {
      let bag = DisposeBag()
      let life = LifeCount()
      let undisposed = Box(0)
      onThreads(4) { thread in
        for index in 0..<300 {
          let token = life.token()
          undisposed.withLock { $0 += 1 }
          let isDone = Box(false)
          bag.insert(
            Item {
              token.touch()
              let isDone = isDone.withLock { done in
                defer { done = true }
                return done
              }
              if !isDone { undisposed.withLock { $0 -= 1 } }
            })
          if index % 50 == thread { bag.disposeAll() }
          if thread == 3, index == 250 { bag.close() }
        }
      }
      #expect(undisposed.value == 0)
      #expect(life.alive == 0)
    }
  }

  @Test("a bag that was emptied is usable; one that was closed disposes at once what is added")
  func emptiedOrClosed() {
    let bag = DisposeBag()
    let log = Journal<String>()
    bag.insert(Item { log.append("first") })
    bag.disposeAll()
    #expect(log.entries == ["first"] && !bag.isDisposed)
    bag.insert(Item { log.append("second") })
    #expect(log.entries == ["first"] && bag.count == 1)
    bag.close()
    #expect(log.entries == ["first", "second"] && bag.isDisposed)
    bag.insert(Item { log.append("third") })
    #expect(log.entries == ["first", "second", "third"] && bag.count == 0)
    bag.disposeAll()
    #expect(bag.isDisposed)
  }

  @Test("a bag in a bag is closed with it, and one that was closed by itself is dropped", arguments: 0..<2)
  func bagInABag(way: Int) {
    let outer = DisposeBag()
    let inner = DisposeBag()
    let log = Journal<String>()
    inner.insert(Item { log.append("inner") })
    outer.insert(inner)
    outer.insert(Item { log.append("outer") })
    if way == 0 { outer.disposeAll() } else { outer.close() }
    #expect(log.entries == ["inner", "outer"])
    #expect(inner.isDisposed && outer.isDisposed == (way == 1))
    inner.insert(Item { log.append("late") })
    #expect(log.entries == ["inner", "outer", "late"])
    let other = DisposeBag()
    other.insert(inner)
    #expect(other.count == 0)
  }
}
