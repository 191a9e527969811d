// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores
// Apple's documentation tells what these are; see scripts/check-apple.

public import Dispatch
@_exported import Glibc

public var O_EVTONLY: Int32 { 0x8000 }

public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

extension DispatchSource {
  public class func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: DispatchSource.FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError("an interface only") }
}
