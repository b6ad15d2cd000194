#!/usr/bin/env python3
"""Makes every sound adhand ships: time-signal pips, and pips followed by a spoken announcement.

    generate.py            write the sounds, SHA256SUMS and README.md next to this script
    generate.py --check    make them again in a temporary directory and compare; changes nothing

Needs espeak-ng 1.51, sox, lame and ffmpeg (Debian 12: apt-get install espeak-ng sox lame ffmpeg). The same
versions give the same bytes. The adhan itself is never synthesised: these sounds say that a prayer's time has
come, and nothing else.
"""

import argparse
import array
import hashlib
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

RATE = 44_100  # Hz; every sound card plays it without resampling
# kbit/s on average, mono. A constant 40 kbit/s would make frames too small for the tag that says where the sound begins and ends,
# and players would play 25 ms of the encoder's own silence.
BITRATE = 40
LOUDNESS = -18.0  # LUFS integrated (ITU-R BS.1770-4)
LOUDNESS_TOLERANCE = 0.5  # LU
TRUE_PEAK = -1.5  # dBTP, the highest true peak after decoding
LIMIT = -2.8  # dBFS, sample peak before encoding: headroom for the encoder and the interpolation

PIP_HZ = 1_000.0
PIP_ATTACK = 0.012  # seconds of raised cosine at either end: soft, and too slow to click
PIP_PERIOD = 0.75  # seconds from one pip's start to the next
PIP_LENGTHS = [0.1, 0.1, 0.1, 0.5]  # three short and one long
PIP_BELOW_SPEECH = 4.0  # LU: a steady tone is more audible than speech of equal loudness, so it is quieter

AFTER_PIPS = 0.5  # seconds of silence
BETWEEN_SENTENCES = 0.8
AT_THE_END = 0.15
EDGE = 0.03  # seconds kept around speech, faded with a raised cosine

# The names are espeak-ng phonemes, because the synthesiser reads neither transliterated names nor vowelled Arabic correctly.
LANGUAGES = {
    "standard": {
        "voice": ["-v", "en-us", "-s", "138", "-p", "40", "-g", "1"],
        "sentence": "It is time for the [[{}]] prayer.",
        "names": {
            "fajr": "f'adZ@r", "dhuhr": "D'u:h@r", "asr": "'as@r",
            "maghrib": "m'agrIb", "isha": "'i:Sa:", "jumua": "dZ'um@ a",
        },
    },
    "standard-ar": {
        "voice": ["-v", "ar", "-s", "132", "-p", "40", "-g", "1"],
        "sentence": "[[H'a:na l?'a:na m'awAidu s[al'a:ti {}]]",
        "names": {
            "fajr": "lf'adZR", "dhuhr": "ZZ'uhR", "asr": "lA'as[R",
            "maghrib": "lm'agHRib", "isha": "lA'iSa:?", "jumua": "ldZ'umuAa",
        },
    },
}

# A formant synthesiser rumbles at low frequencies and hisses at high ones. These filters remove the rumble, raise the band that
# distinguishes consonants, and soften the frequencies above it.
VOICE_EQ = [
    "highpass", "90", "equalizer", "250", "0.9q", "-1.5", "equalizer", "2800", "1.0q", "2.5",
    "treble", "-4", "7000", "0.6",
]


def run(command, data=None):
    done = subprocess.run(command, input=data, capture_output=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.decode(errors='replace').strip()}")
    return done


def silence(seconds):
    return array.array("f", bytes(4 * round(seconds * RATE)))


def raised_cosine(position, length):
    return 0.5 - 0.5 * math.cos(math.pi * min(1.0, position / length))


def faded(samples, seconds):
    length = max(1, round(seconds * RATE))
    last = len(samples) - 1
    return array.array("f", (s * raised_cosine(min(i, last - i), length) for i, s in enumerate(samples)))


def pips():
    """Three short pips and one long one, full scale."""
    out = array.array("f")
    for number, length in enumerate(PIP_LENGTHS):
        tone = array.array(
            "f", (math.sin(2 * math.pi * PIP_HZ * i / RATE) for i in range(round(length * RATE))))
        out.extend(faded(tone, PIP_ATTACK))
        if number + 1 < len(PIP_LENGTHS):
            out.extend(silence(PIP_PERIOD - length))
    return out


def speech(voice, text):
    """One sentence at RATE, trimmed to the voice, with faded edges."""
    wave = run(["espeak-ng", *voice, "--stdout", text]).stdout
    raw = run(
        ["sox", "-R", "-D", "-t", "wav", "-", "-t", "f32", "-r", str(RATE), "-",
         "gain", "-6", *VOICE_EQ, "rate", "-v", "-b", "98"], wave).stdout
    samples = array.array("f", raw)
    floor = max(map(abs, samples)) * 10 ** (-46 / 20)
    heard = [i for i, s in enumerate(samples) if abs(s) > floor]
    edge = round(EDGE * RATE)
    return faded(samples[max(0, heard[0] - edge):heard[-1] + edge], EDGE)


def scaled(samples, decibels):
    gain = 10 ** (decibels / 20)
    return array.array("f", (s * gain for s in samples))


def limited(samples):
    """A look-ahead peak limiter with 5 ms of attack and 80 ms of release. It affects only the few loudest syllables."""
    ceiling = 10 ** (LIMIT / 20)
    ahead = round(0.005 * RATE)
    release = math.exp(-1 / (0.080 * RATE))
    needed = [min(1.0, ceiling / max(abs(s), 1e-9)) for s in samples]
    # The smallest gain of the next `ahead` samples, averaged over as many samples, never exceeds what a peak needs.
    lowest, queue, head = [1.0] * len(samples), [], 0
    for i in range(len(samples) + ahead):
        if i < len(samples):
            while len(queue) > head and needed[queue[-1]] >= needed[i]:
                queue.pop()
            queue.append(i)
        if i >= ahead:
            while queue[head] < i - ahead:
                head += 1
            lowest[i - ahead] = needed[queue[head]]
    held, current = [], 1.0
    for gain in lowest:
        current = min(gain, 1 - (1 - current) * release)
        held.append(current)
    out, total = array.array("f"), float(ahead)
    window = [1.0] * ahead
    for i, s in enumerate(samples):
        total += held[i] - window[i % ahead]
        window[i % ahead] = held[i]
        out.append(s * total / ahead)
    return out


def loudness(source, data=None):
    """(integrated LUFS, true peak in dBTP) of a file, or of float samples given as bytes."""
    raw = ["-f", "f32le", "-ar", str(RATE), "-ac", "1"] if data is not None else []
    log = run(["ffmpeg", "-hide_banner", "-nostats", *raw, "-i", source,
               "-af", "ebur128=peak=true", "-f", "null", "-"], data).stderr.decode()
    integrated = float(re.findall(r"^ +I: +(-?[\d.]+) LUFS", log, re.M)[-1])
    peak = float(re.findall(r"^ +Peak: +(-?[\d.]+) dBFS", log, re.M)[-1])
    return integrated, peak


def encode(samples, path, title, album):
    clipped = array.array("h", (round(max(-1.0, min(1.0, s)) * 32_767) for s in samples))
    run(["lame", "--silent", "-r", "-s", "44.1", "--bitwidth", "16", "--signed", "--little-endian", "-m", "m",
         "--abr", str(BITRATE), "--resample", "44.1", "-q", "0", "--noreplaygain",
         "--id3v2-only", "--tt", title, "--ta", "adhand", "--tl", album, "-", str(path)],
        clipped.tobytes())


def write_at_loudness(samples, path, title, album):
    """Encodes at LOUDNESS, as measured after decoding. Returns the row of the README's table."""
    gain = LOUDNESS - loudness("-", samples.tobytes())[0]
    for _ in range(8):
        encode(limited(scaled(samples, gain)), path, title, album)
        integrated, peak = loudness(str(path))
        if abs(integrated - LOUDNESS) <= 0.1:
            break
        gain += LOUDNESS - integrated
    if abs(integrated - LOUDNESS) > LOUDNESS_TOLERANCE or peak > TRUE_PEAK:
        sys.exit(f"{path.name}: {integrated} LUFS, true peak {peak} dBTP: outside the limits")
    return integrated, peak, len(samples) / RATE, path.stat().st_size


def announcement(language, name):
    """Pips, then the sentence twice. The loudness difference between the two is fixed before the whole is levelled."""
    spoken = speech(language["voice"], language["sentence"].format(name))
    spoken = scaled(spoken, LOUDNESS - loudness("-", spoken.tobytes())[0])
    # BS.1770 reads a full-scale 1 kHz sine in one channel as -3.01 LUFS.
    tone = scaled(pips(), LOUDNESS - PIP_BELOW_SPEECH + 3.01)
    return tone + silence(AFTER_PIPS) + spoken + silence(BETWEEN_SENTENCES) + spoken + silence(AT_THE_END)


README = """\
# The sounds adhand ships

Everything in this folder is made by `generate.py` from sine waves and a speech synthesiser, is released under
CC0 1.0 (see `LICENSE`), and is listed in `SHA256SUMS`. The adhan itself is not here and is never synthesised: `man
adhand` says how to add a muezzin's recording.

| sound | is |
| --- | --- |
| `signal` | time-signal pips: three short and one long, all at 1 kHz. Played for reminders, and in place of a file that cannot be played |
| `standard` | the pips, then "It is time for the … prayer", twice |
| `standard-ar` | the pips, then the same in Arabic, twice: ḥāna l-ʾāna mawʿidu ṣalāti … |

**`standard-ar` has not been approved by a native speaker.** It must be before it becomes a default anywhere. A
synthesiser's Arabic can be wrong in ways its makers do not hear. If you are a native speaker, please listen to the
six files and say what you hear.

## How they are made

* The pips begin and end with a raised cosine of {attack} ms, {period} s apart: soft, one pitch, neither a bell nor a tune. They are
  {below:g} LU below the speech, because a steady tone stands out from speech of the same loudness.
* The speech is `espeak-ng`'s, the prayers' names written as phonemes because it misreads them as text. An equaliser takes rumble away
  and lifts the consonants' band; a look-ahead limiter holds the few syllables that stand out.
* Every file is {loudness:g} LUFS ±{tolerance:g} (ITU-R BS.1770-4, integrated) with a true peak of at most {peak:g} dBTP, measured with
  ffmpeg after encoding, so that one volume setting suits them all.
* {rate} Hz, mono, MP3 of {bitrate} kbit/s on average, with the tag by which a player drops the encoder's padding.

`python3 generate.py` makes them again; `python3 generate.py --check` makes them elsewhere and compares. The bytes depend on the
versions of the programs; those below made the committed files. A different version makes files that sound the same and have
other checksums: commit both together.

| program | version |
| --- | --- |
{versions}

## Measured

| file | seconds | LUFS | true peak (dBTP) | bytes |
| --- | ---: | ---: | ---: | ---: |
{rows}
| total | | | | {total} |
"""

VERSIONS = {
    "espeak-ng": (["espeak-ng", "--version"], r"text-to-speech: (\S+)"),
    "sox": (["sox", "--version"], r"SoX v(\S+)"),
    "lame": (["lame", "--version"], r"version (\S+)"),
    "ffmpeg (measures only)": (["ffmpeg", "-version"], r"ffmpeg version (\S+)"),
}


def readme(rows):
    versions = []
    for name, (command, pattern) in VERSIONS.items():
        found = re.search(pattern, run(command).stdout.decode())
        versions.append(f"| {name} | {found.group(1) if found else 'unknown'} |")
    measured = [
        f"| `{name}` | {seconds:.2f} | {integrated:.1f} | {peak:.1f} | {size} |"
        for name, (integrated, peak, seconds, size) in rows.items()]
    return README.format(
        attack=round(PIP_ATTACK * 1000), period=PIP_PERIOD, below=PIP_BELOW_SPEECH, loudness=LOUDNESS,
        tolerance=LOUDNESS_TOLERANCE, peak=TRUE_PEAK, rate=RATE, bitrate=BITRATE, versions="\n".join(versions),
        rows="\n".join(measured), total=sum(row[3] for row in rows.values()))


def write_all(target):
    rows = {"signal.mp3": write_at_loudness(
        pips() + silence(AT_THE_END), target / "signal.mp3", "Signal", "adhand")}
    for folder, language in LANGUAGES.items():
        (target / folder).mkdir(exist_ok=True)
        for prayer, name in language["names"].items():
            path = target / folder / f"{prayer}.mp3"
            rows[f"{folder}/{prayer}.mp3"] = write_at_loudness(
                announcement(language, name), path, prayer.capitalize(), folder)
    sums = [f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n" for name in rows]
    (target / "SHA256SUMS").write_text("".join(sums))
    (target / "README.md").write_text(readme(rows))
    return [*rows, "SHA256SUMS", "README.md"]


def check():
    """Generates everything in a temporary directory. The exit status tells whether it equals the committed files."""
    with tempfile.TemporaryDirectory(prefix="adhand-sounds-") as folder:
        made = pathlib.Path(folder)
        names = write_all(made)
        different = [
            name for name in names
            if not (HERE / name).exists() or (HERE / name).read_bytes() != (made / name).read_bytes()]
        strays = {str(p.relative_to(HERE)) for p in HERE.rglob("*.mp3")} - set(names)
    problems = [f"{name}: differs from what this machine makes" for name in different]
    problems += [f"{name}: not made by this script" for name in sorted(strays)]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(names)} files: the same")


def main():
    parser = argparse.ArgumentParser(description="Make the sounds adhand ships.")
    parser.add_argument("--check", action="store_true", help="make them elsewhere and compare; change nothing")
    check() if parser.parse_args().check else write_all(HERE)


if __name__ == "__main__":
    main()
