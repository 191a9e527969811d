@testable import SignalAttach

/// What is read as the head of a request, or refused, is within its limits, and none of it reaches whoever asked unbounded. What is read as its target is
/// written so that it reads as the same question.
public func checkRequests(_ bytes: UnsafeBufferPointer<UInt8>) {
  let limits = ClientLimits()
  do throws(RequestHead.Refusal) {
    let head = try RequestHead(parsing: Array(bytes)[...], limits: limits)
    require(!head.method.contains { $0 == " " || $0.isNewline }, "A method of several words: \(head.method)")
    require(!head.target.contains { $0 == " " || $0.isNewline }, "A target of several words: \(head.target)")
    require((0...limits.bodyBytes).contains(head.bodyBytes), "A body of \(head.bodyBytes) bytes.")
    checkTarget(head.target)
  } catch {
    require((400..<600).contains(error.status.rawValue), "Refused with \(error.status.rawValue).")
    require(!error.message.isEmpty && error.message.utf8.count < 2_000, "Refused with the words \(error.message)")
  }
  checkTarget(String(decoding: bytes, as: UTF8.self))
}

private func checkTarget(_ target: String) {
  do throws(AttachRequestError) {
    let request = try AttachRequest(target: target)
    let again: AttachRequest
    do throws(AttachRequestError) { again = try AttachRequest(target: request.target) } catch {
      stop("\(target) is written as \(request.target), which does not read: \(error)")
    }
    require(again == request, "\(target) is written as \(request.target).")
  } catch {
    require(!error.description.isEmpty, "A mistake without a word.")
  }
}
