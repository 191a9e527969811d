public import Foundation

/// Programs that the package manager built beside the test bundle.
public enum BuiltProgram {
  /// There is no such program; build all of the tests.
  public struct NotBuilt: Error {
    /// The program's name.
    public var name: String
  }

  /// The file of the program with this name.
  public static func file(_ name: String) throws -> URL {
    let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
    for folder in bundles.flatMap({ [$0, $0.deletingLastPathComponent()] }) {
      let program = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    }
    throw NotBuilt(name: name)
  }
}
