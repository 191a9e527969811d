# Sourced by the scripts: builds and runs tests, and counts them from the output of `swift test` for both frameworks.

. scripts/lib/progress.sh

# How many tests of Swift Testing run at a time. Without a limit all of them begin at once, and time limits run while tests wait for a core. With one,
# a test's limit begins when the test does. Requires Swift 6.3.
tests_at_a_time=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$(core_count)}
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$tests_at_a_time

# build_quietly LOG COMMAND...: prints the progress of a build; exits if it fails.
build_quietly() {
  local log=$1
  shift
  with_progress "$log" "$@" || {
    tail -n 20 "$log"
    fail "It does not build: $*. Details: $log"
  }
}

# run_tests LOG COMMAND...: runs `swift test` and prints progress and failures; exits if a test fails or none ran.
run_tests() {
  local log=$1
  tests_pass "$@" || fail "$(tests_passed "$log") passed, $(tests_failed "$log") failed. Details: $log"
}

# tests_pass LOG COMMAND...: the same, but returns whether every test passed; exits if none ran.
tests_pass() {
  local log=$1 status=0
  shift
  test_with_progress "$log" "$@" || status=$?
  # A crash, or a build that fails: the last lines say more than the tests that passed.
  [ "$status" -eq 0 ] || [ "$(tests_failed "$log")" -gt 0 ] || tail -n 20 "$log"
  [ "$status" -ne 0 ] || [ "$(tests_passed "$log")" -gt 0 ] || fail "No test ran: $*. Details: $log"
  return "$status"
}

# Swift Testing ends each test with a line of its own, and the run with a sum: lines of several threads may come on one, so the sum counts once it is
# there. XCTest sums up for each suite; the outermost sum is the largest.
tests_passed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / passed after / { passed++ }
    $2 == "Test" && $0 !~ / Test run with / && / failed after / { failed++ }
    / Test run with / { all = $0; sub(/.* Test run with /, "", all); runs += all; passed = runs - failed }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print passed + xctests - broken }' "$1"
}

tests_failed() {
  awk '
    $2 == "Test" && $0 !~ / Test run with / && / failed after / { failed++ }
    $1 == "Executed" { tests = $2 + 0; failures = $5 + 0; if (tests > xctests) { xctests = tests; broken = failures } }
    END { print failed + broken }' "$1"
}
