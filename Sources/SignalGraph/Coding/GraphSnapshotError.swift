/// The reason why bytes are not a valid snapshot, or why a snapshot cannot be written.
///
/// Its description contains the error, its location, and the remedy.
public enum GraphSnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The input is empty.
  case empty
  /// The text is not JSON; `detail` is the parser's message.
  case notJSON(detail: String)
  /// The text is truncated.
  case truncated(bytes: Int)
  /// A required field is missing.
  case missingField(path: String)
  /// A field has an invalid value.
  case invalidField(path: String, detail: String)
  /// The snapshot was written by a newer version of the wire model.
  case newerVersion(found: Int, supported: Int)
  /// Two definitions share an identifier.
  case duplicateDefinition(id: Int)
  /// Two nodes share an identifier.
  case duplicateNode(id: UInt64)
  /// A node names a definition that the snapshot does not hold.
  case unknownDefinition(node: UInt64, definition: Int)
  /// An edge names a node that the snapshot does not hold; `index` is its position in `edges`.
  case unknownNode(index: Int, node: UInt64)
  /// A value has no JSON form, such as a number that is not finite.
  case notWritable(path: String, detail: String)

  /// The error, its location, and the remedy.
  public var description: String {
    switch self {
    case .empty:
      "The snapshot is empty. Take it again, or give another file."
    case .notJSON(let detail):
      "The snapshot is not JSON (\(detail)). Give a file that `signal-viz render -o FILE.json` or the inspector wrote."
    case .truncated(let bytes):
      "The snapshot stops in the middle, after \(bytes) bytes. Copy or take it again."
    case .missingField(let path):
      "The snapshot has no field `\(path)`. Give a file that holds a whole graph snapshot."
    case .invalidField(let path, let detail):
      "The snapshot's field `\(path)` is wrong: \(detail). Correct it, or take the snapshot again."
    case .newerVersion(let found, let supported):
      "The snapshot has version \(found), and this program reads versions up to \(supported). Update signal-viz."
    case .duplicateDefinition(let id):
      "Two definitions of the snapshot have the id \(id). Take the snapshot again; if it was edited, make ids unique."
    case .duplicateNode(let id):
      "Two nodes of the snapshot have the id \(id). Take the snapshot again; if it was edited, make ids unique."
    case .unknownDefinition(let node, let definition):
      "Node \(node) of the snapshot names definition \(definition), which it does not hold. Take the snapshot again."
    case .unknownNode(let index, let node):
      "`edges[\(index)]` of the snapshot names node \(node), which it does not hold. Take the snapshot again."
    case .notWritable(let path, let detail):
      "The snapshot's field `\(path)` cannot be written as JSON: \(detail)."
    }
  }
}
