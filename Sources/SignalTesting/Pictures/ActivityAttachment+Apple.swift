#if canImport(Darwin) && canImport(XCTest)
  import Foundation
  import XCTest

  /// Adds a string to the report of the running XCTest case, for display in Xcode.
  ///
  /// An activity belongs to the main thread, where XCTest runs synchronous tests. Elsewhere there is only the file.
  func addToActivity(_ contents: Data, named name: String, kind: String) {
    guard Thread.isMainThread else { return }
    MainActor.assumeIsolated {
      XCTContext.runActivity(named: "\(name).\(kind)") { activity in
        let type = kind == "svg" ? "public.svg-image" : "public.plain-text"
        let attachment = XCTAttachment(data: contents, uniformTypeIdentifier: type)
        attachment.name = "\(name).\(kind)"
        attachment.lifetime = .keepAlways
        activity.add(attachment)
      }
    }
  }
#endif
