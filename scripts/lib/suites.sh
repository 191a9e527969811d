# Sourced by the scripts that run a variant of the tests: which suites of the core they run, and how they are built.

# modules_of ALL [--short]: prints the test targets of a variant, with commas: all of them, or the one that is most likely to fail in it.
modules_of() {
  case "${2-}" in
    "") printf '%s\n' "$1" ;;
    --short) printf 'LawTests\n' ;;
    *) fail "there is no option \"$2\"; there is --short" ;;
  esac
}

# test_variant NAME TARGETS OPTIONS...: builds these test targets alone, with these options of `swift build`, and runs their tests. Writes
# out/test-NAME.log.
test_variant() {
  local name=$1
  export SIGNALS_TEST_TARGETS=$2
  shift 2
  build_quietly "out/build-$name.log" swift build "$@" --product swift-signalsPackageTests
  run_tests "out/test-$name.log" swift test --skip-build "$@"
  unset SIGNALS_TEST_TARGETS
}

# require_every_operator LOG: ends the script if the laws of the operators of the catalogue were not among the tests that ran.
require_every_operator() {
  grep -q 'Test "keeps the laws" with [1-9][0-9]* test cases passed' "$1" ||
    fail "The laws of the operators were not checked: OperatorLawTests is not in $1."
}
