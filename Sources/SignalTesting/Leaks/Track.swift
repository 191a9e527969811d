import Signals
import Synchronization

/// Notes an object of any class that must not outlive the leak check around it.
///
/// Leak checks know subscriptions, tasks and scheduled work. An object that nothing of these keeps, such as a model in a cycle
/// through its own closure, is noted with this:
///
/// ```swift
/// final class Player {
///   var onEnd: () -> Void = {}
///   func stop() { onEnd = {} }
/// }
///
/// @Test(.noLeaks) func stops() {
///   let player = track(Player())
///   player.onEnd = { print(player) }
///   // Without this the check reports: object still alive: Player
///   player.stop()
/// }
/// ```
///
/// The failure is at this call. It names a cycle through properties, as far as reflection sees one, properties that are closures,
/// and the leaked subscriptions that kept the object. Call it inside ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)``,
/// a test with ``NoLeaksTrait``, a ``NoLeaksTestCase``, or the check of health that includes each of them; not in a detached
/// task. Elsewhere the test fails.
///
/// - Parameter object: The object. It is not retained.
/// - Returns: The object.
@discardableResult
public func track<Object: AnyObject>(
  _ object: Object,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Object {
  guard let current = TrackedObjects.current else {
    report(
      "track has no leak check around it: give the test .noLeaks or .healthy, or call it inside assertNoLeaks { }.",
      at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
    return object
  }
  current.add(object, at: Site("track", fileID: fileID, line: line, function: ""))
  return object
}

/// The objects that a leak check has been told of.
final class TrackedObjects: Sendable {
  /// Those of the check around the current code.
  @TaskLocal static var current: TrackedObjects?

  // Safe: weak references are read atomically, and the objects are only looked at when their test is over.
  private struct Entry: @unchecked Sendable {
    weak var object: AnyObject?
    let name: String
    let site: Site
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ object: AnyObject, at site: Site) {
    let entry = Entry(object: object, name: String(describing: type(of: object)), site: site)
    entries.withLock { $0.append(entry) }
  }

  /// Those that are still alive.
  var leaks: [Leak] {
    entries.withLock { $0 }.compactMap { entry in
      guard let object = entry.object else { return nil }
      let route = PropertyPath.cycle(through: object)
      var details: [String] = []
      if let path = route.path {
        details.append((route.isCertain ? "a cycle through properties: " : "possibly a cycle: ") + path)
      } else if !route.closures.isEmpty {
        details.append(
          "no cycle through properties was found; reflection cannot see the captures of closures, such as "
            + route.closures.joined(separator: ", "))
      }
      return Leak(
        kind: .objectStillAlive, site: entry.site, chain: "\(entry.name) \(Chains.place(entry.site))", details: details,
        advice:
          "To do: find what retains it: a closure that captures it strongly, a property, a task, or a global list.")
    }
  }

  /// Adds which leaks were over once the leaked subscriptions had been disposed.
  func explain(_ leaks: [Leak]) -> [Leak] {
    let alive = Set(self.leaks.compactMap(\.site))
    guard leaks.contains(where: { $0.kind == .neverDisposed }) else { return leaks }
    return leaks.map { leak in
      guard leak.kind == .objectStillAlive, let site = leak.site, !alive.contains(site) else { return leak }
      var leak = leak
      leak.details.append(
        "a leaked subscription retained it: the check disposed those, and then it was deallocated")
      leak.advice = "To do: dispose that subscription, or capture the object weakly in its closures."
      return leak
    }
  }
}
