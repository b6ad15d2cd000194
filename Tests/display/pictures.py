"""The pictures that render.py draws, and the settings of the displays that they need."""
import typing
from datetime import datetime, timezone
from pathlib import Path

from display import PAGE, png

# A scene, the page's own name for it, and an instant at which the mosque of fake_adhand.py shows it.
SCENES = [("home", "2026-11-21T10:00:00Z"), ("approaching", "2026-11-21T12:01:30Z"), ("adhan", "2026-11-21T12:05:40Z"),
          ("dua", "2026-11-21T12:08:30Z"), ("to-iqama", "2026-11-21T12:27:15Z"), ("iqama", "2026-11-21T12:30:10Z"),
          ("prayer", "2026-11-21T12:35:00Z"), ("adhkar", "2026-11-21T12:41:30Z"), ("khutba", "2026-11-20T12:40:00Z"),
          ("night", "2026-11-21T22:00:00Z")]
IFTAR = "2027-02-20T16:05:40Z"
SHAPES = [(1920, 1080), (1080, 1920), (1024, 768)]
MORE_SHAPES = [(1280, 720), (3840, 2160), (800, 1280)]
# Scenes whose titles are shown in both languages.
TITLED = {"home", "adhan", "to-iqama", "iqama", "khutba"}
LANGUAGES = sorted(path.stem for path in (PAGE / "languages").glob("*.json"))
RTL = {"ar", "fa", "ur"}
THEMES = ["night", "day", "green", "plain"]
# The pictures and texts in the folder of slides, in the order of display.
SLIDES = ["portrait", "square", "wide", "text"]
# The slides of the setup "said": a code, an announcement beside the board, and one that fills the screen.
SAID = ["code", "announcement", "all"]
DONATION = "https://example.org/donate?mosque=an-nur&for=new%20roof"
SETTINGS_OF_SAID = f"""
[slides]
each = "12s"
[donate]
text = "For the new roof · للسقف الجديد"
url = "{DONATION}"
[[announcement]]
text = "Funeral prayer after Dhuhr\\nصلاة الجنازة بعد الظهر!"
until = 2026-11-29
show = ["slide", "bar", "board"]
seconds = 12
[[announcement]]
text = "The car park is closed this Friday. Please come on foot, by bus or by bicycle."
from = 2026-11-20T08:00:00
until = 2026-11-29
show = "screen"
seconds = 12
[[announcement]]
text = "THIS IS OVER"
until = 2026-11-20T09:00:00
show = ["slide", "bar", "board", "screen"]
[[announcement]]
text = "THIS IS ANOTHER DAY'S"
until = 2026-11-29
days = "wednesday"
show = ["slide", "bar", "board", "screen"]
"""
# A telephone in both orientations, a tablet and a desk: the page scrolls, and its slides are below the times.
PHONES = [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)]
# Distant screens: name, inches, metres, and the expected layout.
SCREENS = [("43in-3m", 43, 2.9, "full"), ("43in", 43, 7, "rows"), ("55in-9m", 55, 9, "rows"), ("55in", 55, 12, "next"),
           ("43in-10m", 43, 10, "next")]


class Picture(typing.NamedTuple):
    """A picture to draw: the display and the query of its address."""
    scene: str
    at: str
    language: str
    shape: tuple
    setup: str = "usual"
    theme: str = ""
    # One of SLIDES; otherwise no slide is due.
    slide: str = ""

    @property
    def name(self):
        parts = [self.scene, self.language.replace(",", "+"), f"{self.shape[0]}x{self.shape[1]}"]
        return "-".join(parts + [part for part in (self.setup, self.theme, self.slide) if part and part != "usual"])


def slide_time(slide):
    """An instant of that morning at which this slide is shown."""
    began = int(datetime.fromisoformat("2026-11-21T10:00:00+00:00").timestamp())
    slides = SLIDES if slide in SLIDES else SAID
    due = next(second for second in range(began, began + 600, 12) if second // 12 % (len(slides) + 1) == slides.index(slide))
    return datetime.fromtimestamp(due, timezone.utc).isoformat().replace("+00:00", "Z")


def phones(languages):
    """The pages of other machines: each language, and each of their scenes."""
    home = [Picture("home", "2026-11-21T10:00:00Z", language, PHONES[i % len(PHONES)], "phone", THEMES[i % len(THEMES)]) for i,
            language in enumerate(languages)]
    return home + [Picture(*SCENES[number], languages[(3 * number + j) % len(languages)], shape, "phone")
                   for number in (0, 1, 2, 3, 4, 5, 7, 8) for j, shape in enumerate(PHONES[:3])]


def combinations(everything):
    home = SCENES[0]
    if everything:
        done = [Picture(*scene, language, shape) for scene in SCENES for language in LANGUAGES for shape in SHAPES + MORE_SHAPES]
        done += [Picture(*scene, language, shape, theme=theme) for scene in SCENES for language in ("en", "ar", "bn") for shape in SHAPES
                 for theme in THEMES]
        done += [Picture("home", slide_time(slide), language, shape, "slides" + far, slide=slide)
                 for slide in SLIDES for language in LANGUAGES for shape in SHAPES + MORE_SHAPES for far in ("", "-far")]
        done += [Picture("home", slide_time(slide), language, shape, "said" + far, slide=slide)
                 for slide in SAID for language in LANGUAGES for shape in SHAPES + MORE_SHAPES for far in ("", "-far")]
        done += [Picture(*SCENES[4], language, shape, "said" + far) for language in LANGUAGES for shape in SHAPES for far in ("", "-far")]
        done += [Picture(*scene, language, shape, name) for name, *_ in SCREENS[1:] for scene in SCENES for language in LANGUAGES
                 for shape in SHAPES]
        done += [Picture(*home, language, shape, SCREENS[0][0]) for language in LANGUAGES for shape in SHAPES]
        done += [Picture("adhan", IFTAR, language, shape, "iftar" + far) for language in LANGUAGES for shape in SHAPES
                 for far in ("", "-far")]
        done += [Picture("home", SCENES[0][1], language, shape, "phone") for language in LANGUAGES for shape in PHONES]
        return done + phones(LANGUAGES)
    most = max(len(SCENES) * len(SHAPES), len(LANGUAGES))
    done = [Picture(*SCENES[i % len(SCENES)], LANGUAGES[(i + i // len(LANGUAGES)) % len(LANGUAGES)],
                    SHAPES[(i + i // len(SCENES)) % len(SHAPES)]) for i in range(most)]
    # Two languages at once, in every shape.
    pairs = ["tr,ar", "en,bn", "ur,en", "so,ar"]
    done += [Picture(*scene, pairs[(i + j) % len(pairs)], shape) for i, scene in enumerate(SCENES) for j, shape in enumerate(SHAPES)
             if scene[0] in TITLED]
    # The board is on the screen most of the time, so it is drawn in every language.
    done += [Picture(*home, language, SHAPES[i % 3]) for i, language in enumerate(LANGUAGES)]
    done += [Picture(*scene, LANGUAGES[(7 * i + 3 * j) % len(LANGUAGES)], SHAPES[(i + j) % 3], theme=theme) for i,
             scene in enumerate(SCENES) for j, theme in enumerate(THEMES)]
    done += [Picture(*SCENES[6], "en", SHAPES[0], "times", theme) for theme in THEMES]
    done += [Picture("home", slide_time(slide), LANGUAGES[(5 * i + j) % len(LANGUAGES)], shape, "slides" + far, slide=slide)
             for i, slide in enumerate(SLIDES) for j, shape in enumerate(SHAPES) for far in ("", "-far")]
    done += [Picture("home", slide_time(slide), LANGUAGES[(5 * i + j) % len(LANGUAGES)], shape, "said" + far, theme=theme, slide=slide)
             for i, slide in enumerate(SAID) for j, shape in enumerate(SHAPES) for far, theme in (("", "day"), ("-far", "night"))]
    done += [Picture(*SCENES[4], language, shape, "said" + far) for language,
             shape in zip(("en", "ar", "bn"), SHAPES) for far in ("", "-far")]
    done += [Picture(*SCENES[i], LANGUAGES[(i + 6 * j) % len(LANGUAGES)], shape, "logo") for i in (0, 4) for j, shape in enumerate(SHAPES)]
    # The adhan that ends a fast.
    done += [Picture("adhan", IFTAR, language, shape, "iftar" + far) for language,
             shape in zip(("en", "ar", "ru", "ur", "de", "bn"), SHAPES * 2) for far in ("", "-far")]
    # The longest texts with their meanings, and a board without its optional parts.
    done += [Picture(scene, when, language, shape, "meaning" + far) for scene,
             when in (SCENES[3], SCENES[7], ("adhkar", "2026-11-21T12:40:25Z")) for shape,
             language in zip(SHAPES, ("en", "ar,en", "en")) for far in ("", "-far")]
    done += [Picture(*home, language, shape, "few") for language, shape in zip(("en", "ar", "de"), SHAPES)]
    # For distant screens, the words of each language have a length of their own.
    done += [Picture(*home, language, SHAPES[0], name) for name in ("43in-3m", "55in-9m", "55in") for language in LANGUAGES]
    done += [Picture(*scene, LANGUAGES[(4 * i + j) % len(LANGUAGES)], shape, name) for i, scene in enumerate(SCENES) for j,
             shape in enumerate(SHAPES) for name in ("43in", "43in-10m")]
    return done + phones(LANGUAGES)


def folder_of_slides(folder):
    slides = Path(folder, "slides")
    slides.mkdir()
    for number, (name, width, height) in enumerate([("portrait", 1200, 1697), ("square", 600, 600), ("wide", 1920, 1080)]):
        slides.joinpath(f"{number}-{name}.png").write_bytes(png(width, height, (240, 240, 240)))
    slides.joinpath("3-text.txt").write_text(
        "Lesson after maghrib, every Friday!\nدرس بعد المغرب كل جمعة! 20:00\nIBAN: DE02 1203 0000 0000 2020 51")
    return slides


def configuration(setup, folder):
    if setup == "usual":
        return ""
    if setup == "logo":
        Path(folder,
             "logo.svg").write_text(
                 "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'><path d='M0 20V8L20 0l20 8v12z' fill='#dcb65c'/></svg>")
        return f'title = "An-Nur Mosque"\nlogo = "{folder}/logo.svg"\n'
    if setup.startswith("iftar"):
        return "[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else ""
    if setup.startswith("meaning"):
        return "[scenes]\ntranslation = true\n" + ("[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else "")
    if setup == "few":
        return 'hide = ["dates", "sunrise", "jumua", "proof"]\n'
    if setup == "times":
        return '[prayer]\nstyle = "times"\n'
    if setup.startswith("said"):
        return SETTINGS_OF_SAID + ("[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else "")
    if setup == "phone":
        return SETTINGS_OF_SAID.replace("[slides]", f'[slides]\nfolder = "{folder_of_slides(folder)}"')
    if setup.startswith("slides"):
        screen = "[screen]\ndiagonal = 55\ndistance = 12\n" if setup.endswith("far") else ""
        return f'[slides]\nfolder = "{folder_of_slides(folder)}"\neach = "12s"\n{screen}'
    _, inches, metres, _ = next(screen for screen in SCREENS if screen[0] == setup)
    return f"[screen]\ndiagonal = {inches}\ndistance = {metres}\n"
