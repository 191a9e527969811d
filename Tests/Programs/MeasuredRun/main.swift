// Runs a command to its end, and adds a line to its errors: the processor time in seconds, and the largest resident set in kilobytes, of the command
// and of what it has waited for. A process started directly by a large one counts that one's memory as its own; started by this one it does not.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func tell(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) } }

var arguments = CommandLine.arguments.dropFirst().map { strdup($0) }
guard let command = arguments.first ?? nil else {
  tell("usage: measured-run COMMAND ARGUMENTS...\n")
  exit(64)
}
arguments.append(nil)
var child: pid_t = 0
guard posix_spawn(&child, command, nil, nil, arguments, environ) == 0 else {
  perror("posix_spawn")
  exit(127)
}
var (status, usage): (Int32, rusage) = (0, rusage())
while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
#if canImport(Darwin)
  let kilobytes = usage.ru_maxrss / 1_024
#else
  let kilobytes = usage.ru_maxrss
#endif
tell("\(seconds(usage.ru_utime) + seconds(usage.ru_stime)) \(kilobytes)\n")
let signal = status & 0x7f
exit(signal == 0 ? (status >> 8) & 0xff : 128 + signal)
