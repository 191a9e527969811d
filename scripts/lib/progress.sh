# Sourced by the scripts: says how far a long build or a run of tests is, in lines that suit a terminal and a log alike.
#
#   with_progress LOG TOTAL COMMAND...   runs a command, keeps all that it says in LOG, and shows every ten seconds how far it is, and at once
#                                        what is wrong; returns the command's status. TOTAL is the number of tests; 0 when it is not known.

progress_interval=10
# A line that no command writes.
progress_tick="-- ten seconds have passed --"

with_progress() {
  local log=$1 total=$2
  shift 2
  : >"$log"
  {
    # The pipe ends with the command, not with the sleep that is still running.
    while sleep "$progress_interval" >/dev/null 2>&1; do printf '%s\n' "$progress_tick"; done &
    ticker=$!
    status=0
    "$@" 2>&1 | tee "$log" || status=$?
    kill "$ticker" 2>/dev/null || true
    return "$status"
  } | show_progress "$total"
}

show_progress() { # TOTAL
  local total=$1 line step="" passed=0 failed=0 is_wrong=no began=$SECONDS
  while IFS= read -r line || [ -n "$line" ]; do
    case "$line" in
      "$progress_tick")
        progress_line "$step" "$passed" "$failed" "$total" "$((SECONDS - began))"
        continue
        ;;
      "["[0-9]*/[0-9]*"] "*)
        step=${line%%]*}
        step=${step#\[}
        is_wrong=no
        ;;
      *" Test run with "*) is_wrong=no ;;
      *" Test "*" passed after "* | "Test Case "*" passed "*)
        passed=$((passed + 1))
        is_wrong=no
        ;;
      *" Test "*" failed after "* | "Test Case "*" failed "*)
        failed=$((failed + 1))
        is_wrong=yes
        ;;
      *" recorded an issue"* | *": error: "* | "error: "* | *"Fatal error: "* | *"ERROR: "*Sanitizer* | *"WARNING: "*Sanitizer*) is_wrong=yes ;;
      *" started." | *" skipped." | *" recorded a known issue"* | *" Attached "* | *" Suite "* | "Test Case "* | "Test Suite "*) is_wrong=no ;;
    esac
    [ "$is_wrong" = no ] || printf '%s\n' "$line"
  done
  progress_line "$step" "$passed" "$failed" "$total" "$((SECONDS - began))"
}

progress_line() { # STEP PASSED FAILED TOTAL SECONDS
  local of="" time
  time=$(printf '%d:%02d' $(($5 / 60)) $(($5 % 60)))
  [ "$4" -eq 0 ] || of=" of $4"
  if [ $(($2 + $3)) -gt 0 ]; then
    say "  $time  $2$of tests passed, $3 failed"
  elif [ -n "$1" ]; then
    say "  $time  built ${1%/*} of ${1#*/} steps"
  else
    say "  $time"
  fi
}
