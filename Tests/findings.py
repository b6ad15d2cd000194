"""The expectations of a trial: a line for each, and a total of those that failed."""

# At most this many characters of an observed value are shown: of a log, its end.
MOST = 20_000


class Findings:
    def __init__(self, is_quiet=False, output=None):
        """- Parameter is_quiet: prints only failures.
        - Parameter output: an open text file for the lines; None: standard output."""
        self.is_quiet, self.output = is_quiet, output
        self.tried, self.failures = 0, []

    def expect(self, what, good, seen=""):
        """- Parameter seen: shown on failure.
        - Returns: whether the expectation holds."""
        self.tried += 1
        if not good:
            self.failures.append(what)
            lines = str(seen)[-MOST:].splitlines()
            indented = "".join(f"\n        {line}" for line in lines)
            self.say(f"FAILED  {what}" + (f": {lines[0]}" if len(lines) == 1 else indented))
        elif not self.is_quiet:
            self.say(f"ok      {what}")
        return bool(good)

    def say(self, text):
        print(text, file=self.output, flush=True)

    def add(self, other):
        """Counts the findings of another object as well, whose lines were already printed."""
        self.tried += other.tried
        self.failures += other.failures

    def end(self):
        """- Returns: the exit status of the trial."""
        self.say(f"{len(self.failures)} of {self.tried} failed" if self.failures else f"{self.tried} of {self.tried} as they should be")
        return 1 if self.failures else 0
