import Properties

/// What libFuzzer calls with each text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkRequests(UnsafeBufferPointer(start: start, count: count))
  return 0
}
