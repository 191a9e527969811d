# Sourced by the scripts: reports the progress of a long build or a run of tests, in lines that suit a terminal and a log.
#
#   with_progress LOG COMMAND...           runs a command, writes its output to LOG, and prints its progress every ten seconds, and errors at once;
#                                          returns the command's status
#   test_with_progress LOG COMMAND...      the same for `swift test`: its event stream goes to LOG with the ending .events. Prints the number of
#                                          tests that have run, failures at once, and the names of running tests when none has ended for ten
#                                          seconds

progress_interval=10
# Set if several run at a time: printed before the numbers.
progress_name=""

with_progress() {
  local log=$1
  shift
  rm -f "${log%.log}.events"
  watch_command "$log" "$@"
}

test_with_progress() {
  local log=$1
  shift
  : >"${log%.log}.events"
  # An absolute path: with --package-path, swift test changes its directory.
  watch_command "$log" "$@" --event-stream-output-path "$PWD/${log%.log}.events"
}

# The command runs in the foreground, so that Ctrl-C reaches it; the watcher follows the files that it writes.
watch_command() { # LOG COMMAND...
  local log=$1 status=0 watcher
  shift
  rm -f "$log.ended"
  : >"$log"
  watch_files "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 || status=$?
  : >"$log.ended"
  wait "$watcher" || true
  rm -f "$log.ended"
  return "$status"
}

watch_files() { # LOG
  local log=$1 events="${1%.log}.events" ended=no began=$SECONDS
  local last_report=$SECONDS last_end=$SECONDS
  local step="" is_error=no tests=0 passed=0 failed=0 reported=0
  local line text_start="" event_start=""
  exec 3<"$log"
  if [ -e "$events" ]; then exec 4<"$events"; else exec 4</dev/null; fi
  while [ "$ended" = no ]; do
    sleep 1
    # Looked up before the files are read, so that their last lines are read too.
    if [ -e "$log.ended" ] || ! kill -0 "$$" 2>/dev/null; then ended=yes; fi
    # What follows the last newline is the beginning of a line.
    while IFS= read -r line <&3; do
      watch_text "$text_start$line"
      text_start=""
    done
    text_start+=$line
    while IFS= read -r line <&4; do
      watch_event "$event_start$line"
      event_start=""
    done
    event_start+=$line
    if [ "$ended" = yes ] || [ $((SECONDS - last_report)) -ge "$progress_interval" ]; then
      last_report=$SECONDS
      progress_line
    fi
  done
}

# A line that the command printed. Failures of Swift Testing are in the events.
watch_text() { # LINE
  case "$1" in
    "["[0-9]*/[0-9]*"] "*)
      step=${1%%]*}
      step=${step#\[}
      is_error=no
      ;;
    "Test Case "*" passed "*)
      passed=$((passed + 1)) tests=$((tests + 1)) last_end=$SECONDS
      is_error=no
      ;;
    "Test Case "*" failed "*)
      failed=$((failed + 1)) tests=$((tests + 1)) last_end=$SECONDS
      is_error=yes
      ;;
    *" recorded an issue at "*) is_error=no ;;
    *": error: "* | "error: "* | *"Fatal error: "* | *"ERROR: "*Sanitizer* | *"WARNING: "*Sanitizer*) is_error=yes ;;
    *" Test "* | *" Suite "* | "" | "Test Case "* | "Test Suite "* | *" Test case "* | *" Attached "*) is_error=no ;;
  esac
  [ "$is_error" = no ] || printf '%s\n' "$1"
}

# A line of the event stream. Tests, unlike suites, have the ID MODULE.SUITE/FUNCTION/FILE.swift:LINE:COLUMN.
watch_event() { # LINE
  case "$1" in
    '{"kind":"test",'*'"kind":"function"'*) tests=$((tests + 1)) ;;
    *'"kind":"testEnded"'*'"testID":"'*'.swift:'*)
      last_end=$SECONDS
      case "$1" in
        *'"symbol":"fail"'*) failed=$((failed + 1)) ;;
        *) passed=$((passed + 1)) ;;
      esac
      ;;
    *'"kind":"testSkipped"'*'"testID":"'*'.swift:'*) tests=$((tests - 1)) ;;
    *'"kind":"issueRecorded"'*)
      case "$1" in
        *'"isKnown":true'* | *'"isFailure":false'*) ;;
        *) print_issue "$1" ;;
      esac
      ;;
  esac
}

print_issue() { # LINE
  local rest=$1 text file number
  local string='"text":"(([^"\\]|\\.)*)"'
  text=${1##*\"testID\":\"}
  text=${text%%\"*}
  text=${text//\\\//\/}
  file=${1#*\"_filePath\":\"}
  file=${file%%\"*}
  file=${file//\\\//\/}
  number=${1#*\"line\":}
  printf '✘ %s at %s:%s\n' "${text%/*}" "${file#"$PWD/"}" "${number%%[!0-9]*}"
  rest=${1#*\"messages\":}
  while [[ $rest =~ $string ]]; do
    text=${BASH_REMATCH[1]//\\\//\/}
    rest=${rest#*"${BASH_REMATCH[0]}"}
    printf '%b\n' "${text//\\\"/\"}"
  done
}

progress_line() {
  local time
  time=$(printf '%d:%02d' $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)))
  if [ "$tests" -gt 0 ]; then
    say "  $time  ${progress_name:+$progress_name: }$((passed + failed)) of $tests tests have run, $failed failed"
    [ "$ended" = yes ] || [ $((SECONDS - last_end)) -lt "$progress_interval" ] || running_tests "$events" | sed 's/^/        running: /'
  elif [ -n "$step" ]; then
    say "  $time  built ${step%/*} of ${step#*/} steps"
  else
    say "  $time"
  fi
}

# running_tests EVENTS: prints the names of tests that have begun and not ended. Where several run in parallel, those of one case begin when they
# are scheduled; they run in this order, so the first ones are those that run.
running_tests() {
  awk -v most="${tests_at_a_time:-4}" "$awk_test_name"'
    /"kind":"testStarted"/ && /\.swift:/ { name = test_name(); began[++count] = name }
    /"kind":"testEnded"/ && /\.swift:/ { over[test_name()] = 1 }
    END { for (i = 1; i <= count && most > 0; i++) if (!(began[i] in over)) { print began[i]; most-- } }' "$1"
}

# slowest_tests EVENTS...: prints the ten tests that took longest, with their seconds. The times are right where one test runs at a time.
slowest_tests() {
  awk "$awk_test_name"'
    function instant() {
      match($0, /"absolute":[0-9.]+/)
      return substr($0, RSTART + 11, RLENGTH - 11)
    }
    /"kind":"testStarted"/ && /\.swift:/ { began[test_name()] = instant() }
    /"kind":"testEnded"/ && /\.swift:/ { name = test_name(); printf "%9.2f s  %s\n", instant() - began[name], name }' "$@" |
    sort -rn | sed -n 1,10p
}

# shellcheck disable=SC2016 # awk reads $0
awk_test_name='
  function test_name(name) {
    match($0, /"testID":"[^"]*"/)
    name = substr($0, RSTART + 10, RLENGTH - 11)
    gsub(/\\\//, "/", name)
    sub(/\/[^\/]*$/, "", name)
    return name
  }'
