# Sourced by the scripts that run a variant of the tests: selects and builds the suites of the core.

# modules_of ALL [--short]: prints the test targets of a variant, separated by commas: all of them, or the one most likely to fail.
modules_of() {
  case "${2-}" in
    "") printf '%s\n' "$1" ;;
    --short) printf 'LawTests\n' ;;
    *) fail "there is no option \"$2\"; there is --short" ;;
  esac
}

# test_variant NAME TARGETS OPTIONS...: builds only these test targets, with these options of `swift build`, and runs their tests. Writes
# out/test-NAME.log.
test_variant() {
  local name=$1
  export SIGNALS_TEST_TARGETS=$2
  shift 2
  build_quietly "out/build-$name.log" swift build "$@" --product swift-signalsPackageTests
  run_tests "out/test-$name.log" swift test --skip-build "$@"
  unset SIGNALS_TEST_TARGETS
}

# require_every_operator LOG: exits if the tests of the catalogue's operator laws did not run.
require_every_operator() {
  grep -q 'Test "keeps the laws" with [1-9][0-9]* test cases passed' "$1" ||
    fail "The laws of the operators were not checked: OperatorLawTests is not in $1."
}
