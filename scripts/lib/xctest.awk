# Turns expected-failure tests for Swift Testing into the same tests for XCTest.
#
#   awk -f xctest.awk TESTS.swift
#
# A line "// XCTest: LINE" replaces the line below it. The bag of a suite is emptied after each test, as XCTest keeps test cases until the process ends.

/^ *\/\/ XCTest: / {
  line = $0
  sub(/\/\/ XCTest: /, "", line)
  print line
  getline
  next
}

$0 == "import Testing" {
  print "import XCTest"
  next
}

/^[a-z@]/ { isSuite = 0 }

/^@Suite(\([^)]*\))? struct [A-Za-z]+ \{$/ {
  isSuite = 1
  base = /\.healthy/ ? "HealthyTestCase" : /\.noLeaks/ ? "NoLeaksTestCase" : "XCTestCase"
  sub(/^.*struct /, "")
  sub(/ \{$/, "")
  print "final class " $0 "XCTest: " base " {"
  next
}

isSuite && /^  (private )?let bag = DisposeBag\(\)$/ {
  print
  print ""
  print "  override func tearDown() { bag.disposeAll() }"
  next
}

match($0, /@Test (@MainActor )?func [a-z]/) {
  isOnMain = /@Test @MainActor/
  print substr($0, 1, RSTART - 1) (isOnMain ? "@MainActor " : "") "func test" toupper(substr($0, RSTART + RLENGTH - 1, 1)) substr($0, RSTART + RLENGTH)
  next
}

{ print }
