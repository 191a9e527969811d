import SignalTesting

/// Lines of diagrams, as in the documentation of an operator, are read or refused; what is read has a picture of a size that can be looked at.
public func checkPictures(_ bytes: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: bytes, as: UTF8.self)
  for frame in [Duration.milliseconds(1), .nanoseconds(1), .nanoseconds(Int64.max / 3)] {
    guard let picture = try? MarblePicture(reading: text, frame: frame) else { continue }
    for options in [MarbleDrawingOptions(), MarbleDrawingOptions(maximumWidth: 0, maximumBands: 0, showsTitle: true)] {
      let svg = picture.svg(options: options)
      require(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"), "A picture that is none.")
      require(svg.utf8.count < 4_000_000, "A picture of \(svg.utf8.count) bytes, of \(bytes.count).")
    }
  }
}
