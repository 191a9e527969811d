extension Sequence<UInt8> {
  /// A hash that is the same in every process and on every machine, unlike `Hasher`: FNV-1a, of 64 bits (RFC 9923).
  package var stableHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
