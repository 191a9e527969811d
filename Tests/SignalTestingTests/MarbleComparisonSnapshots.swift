extension MarbleComparisonTests {
  static let snapshots = [
    Snapshot(
      expected: "--a--b--c-|", actual: "--a--x-----|",
      text: """
        expected  --a--b--c-|
        actual    --a--x-----|
                       ^  ^ ^^

        frame 5: expected b, got x
        frame 8: missing c
        | at frame 11 instead of frame 10
        """),
    Snapshot(
      expected: "-a-b-c|", actual: "--a-b-c|",
      text: """
        expected  -a-b-c|
        actual    --a-b-c|
                   ^^^^^^^

        a at frame 2 instead of frame 1
        b at frame 4 instead of frame 3
        c at frame 6 instead of frame 5
        | at frame 7 instead of frame 6
        """),
    Snapshot(
      expected: "--a--b--|", actual: "--b--a--|",
      text: """
        expected  --a--b--|
        actual    --b--a--|
                    ^  ^

        frame 2: expected a, got b
        frame 5: expected b, got a
        """),
    Snapshot(
      expected: "--a|", actual: "--a--b|",
      text: """
        expected  --a|
        actual    --a--b|
                     ^ ^^

        frame 5: extra b
        | at frame 6 instead of frame 3
        """),
    Snapshot(
      expected: "--a-", actual: "--a-b-c",
      text: """
        expected  --a----
        actual    --a-b-c
                      ^ ^

        frame 4: extra b
        frame 6: extra c
        """),
    Snapshot(
      expected: "--(abc)--|", actual: "--(axc)--|",
      text: """
        expected  --(abc)--|
        actual    --(axc)--|
                    ^~~~~

        frame 2: expected b, got x
        """),
    Snapshot(
      expected: "--(a & b)--|", actual: "--(b c)--|",
      text: """
        expected  --(a & b)--|
        actual    --(bc)   --|
                    ^~~~~~~

        frame 2: expected a, got c
        """),
    Snapshot(
      expected: "--(abc)--|", actual: "--(cab)--|",
      text: """
        expected  --(abc)--|
        actual    --(cab)--|
                    ^~~~~

        frame 2: another order: expected (abc), got (cab). If the order does not matter, write (a & b & c)
        """),
    Snapshot(
      expected: "{ab}-(c|)", actual: "{ba}-(c|)",
      text: """
        expected  {ab}-(c|)
        actual    {ba}-(c|)
                  ^~~~

        inside subscribe: another order: expected {ab}, got {ba}
        """),
    Snapshot(
      expected: "-10-|", actual: "-<10>-|",
      text: """
        expected  -1   0-|
        actual    -'10'-|
                   ^~~~^^^

        frame 1: expected 1, got '10'
        frame 2: missing 0
        | at frame 3 instead of frame 4

        10 in a diagram is 2 values, 1 and 0, a frame each. For one value write <10>.
        """),
    Snapshot(
      expected: "-12-|", actual: "-<12>2-|",
      text: """
        expected  -1   2-|
        actual    -'12'2-|
                   ^~~~

        frame 1: expected 1, got '12'

        12 in a diagram is 2 values, 1 and 2, a frame each. For one value write <12>.
        """),
    Snapshot(
      expected: "--''--|", actual: "--' '--|",
      text: """
        expected  --'' --|
        actual    --' '--|
                    ^~~

        frame 2: expected '', got ' '
        """),
    Snapshot(
      expected: "--'a b'--|", actual: "--'a\u{A0}b\\u{200B}'--|",
      text: """
        expected  --'a b'             --|
        actual    --'a\\u{a0}b\\u{200b}'--|
                    ^~~~~~~~~~~~~~~~~~

        frame 2: expected 'a b', got 'a\\u{a0}b\\u{200b}'

        frame 2:
          they look alike: actual has U+00A0 NO-BREAK SPACE, U+200B ZERO WIDTH SPACE
        """),
    Snapshot(
      expected: "--b--|", actual: "--'two words'--|",
      text: """
        expected  --b          --|
        actual    --'two words'--|
                    ^~~~~~~~~~~

        frame 2: expected b, got 'two words'
        """),
    Snapshot(
      expected: "a-b", actual: "{a}--b",
      text: """
        expected     a-b
        actual    {a}--b
                  ^~~^

        a inside subscribe instead of at frame 0

        What a signal sends inside subscribe is written in { }, at the beginning of the diagram.
        """),
    Snapshot(
      expected: "--a", actual: "{|}",
      text: """
        expected     --a
        actual    {|}--
                  ^~~  ^

        inside subscribe: extra |
        frame 2: missing a

        A signal that finishes inside subscribe is empty, or its emitter or property no longer exists. One declared in \
        the closure of `marbles` is released when the closure returns: declare it before `marbles`.
        """),
    Snapshot(
      expected: "{ab}--|", actual: "{b}--|",
      text: """
        expected  {ab}--|
        actual    {b} --|
                  ^~~~

        inside subscribe: missing a
        """),
    Snapshot(
      expected: "-a 5s b 50s c|", actual: "-a 5s b 50.001s c|",
      text: """
        expected  -a 5s b 50s c|
        actual    -a 5s b 50s -c|
                              ^^^

        c at 55004 ms instead of 55003 ms
        | at 55005 ms instead of 55004 ms
        """),
    Snapshot(
      expected: "-漢-b", actual: "-a-漢漢",
      text: """
        expected  -漢-b -
        actual    -a -漢漢
                   ^~ ^~^~

        frame 1: expected 漢, got a
        frame 3: expected b, got 漢
        frame 4: extra 漢
        """),
    Snapshot(
      expected: "--a--|", actual: "--a--#",
      text: """
        expected  --a--|
        actual    --a--#
                       ^

        frame 5: expected |, got # (MarbleFailure())
        """),
    Snapshot(
      expected: "--a", actual: "-",
      text: """
        expected  --a
        actual    ---
                    ^

        frame 2: missing a
        """),
    Snapshot(
      expected: "-", actual: "--a",
      text: """
        expected  ---
        actual    --a
                    ^

        frame 2: extra a
        """),
    Snapshot(
      expected: "-a 10.5ms b|", actual: "-a 10ms b|",
      text: """
        expected  --a 10.5ms -b-|
        actual    --a 10.5ms b-|
                             ^^^^
        (one - is 500 us)

        b at 12 ms instead of 12.5 ms
        | at 13 ms instead of 13.5 ms
        """),
    Snapshot(
      expected: "--?--|", actual: "-----|",
      text: """
        expected  --?--|
        actual    -----|
                    ^

        frame 2: missing ? (any value)
        """),
    Snapshot(
      expected:
        "abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s a-b-c",
      actual: "abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s abcdefghi- 1s a-x-c",
      text: """
        …
        from 5059 ms
        expected   1001ms abcdefghi 1001ms a-b-c
        actual     1001ms abcdefghi 1001ms a-x-c
                                             ^

        7072 ms: expected b, got x
        """),
  ]
}
