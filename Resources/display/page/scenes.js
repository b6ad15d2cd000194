// The clock, the countdown and the words of the scene that is due.
import * as digits from "./digits.js";
import * as player from "./player.js";
import * as verses from "./verses.js";
import { $, languages, state } from "./context.js";
import { announced, fastAt } from "./lines.js";
import { sizes } from "./sizes.js";
import { digitsIn, inLanguage, isolated, make, mark, prayerName, say, second, show, time, write } from "./text.js";

const clockHalf = make("small", "", $("clock"));
// Eight digits and marks: no clock and no countdown of two days has more.
for (const box of [$("clock").firstElementChild, $("countdown")]) digits.boxes(box, 8);

/** The same in the language that stands beside. */
function putSecond(parts) {
  const other = second();
  show($("message-second"), other ? parts(other).filter(Boolean).join(" · ") : "");
  if (other) inLanguage($("message-second"), other);
}

/** The words of the call that are due: they take as long as its sound does, and are not begun again. */
function called(scene, at, isFajr) {
  const from = player.instant(scene.from);
  const next = state.scenes.map((one) => player.instant(one.from)).find((other) => other > from);
  const length = (next === undefined ? from + 180000 : next) - from;
  return player.part(isFajr ? verses.fajrCall : verses.call, isFajr ? verses.fajrBreaths : verses.breaths, at - from, length);
}

/** What a text in Arabic means, where that is wanted and one of the screen's languages has it. */
function meaning(name, index) {
  const language = state.page.translation ? state.page.languages.find((code) => verses.translations[code]) : undefined;
  const text = language && verses.translations[language][name];
  mark($("message-text"), "lang", language && language !== languages[0].code ? language : null);
  mark($("message-text"), "dir", language && language !== languages[0].code ? "ltr" : null);
  return text ? (index === undefined ? text : text[index]) : "";
}

function putMessage(over, title, arabic, text) {
  show($("message-over"), over);
  show($("message-title"), title);
  show($("message-arabic"), arabic);
  show($("message-text"), text);
}

export function drawMessage(scene, at) {
  const name = scene.eid ? prayerName("eid") : scene.prayer ? prayerName(scene.prayer) : "";
  meaning("");
  switch (scene.scene) {
    case "adhan": {
      const isFajr = scene.prayer === "fajr";
      const failed = scene.unheard === true;
      if (scene.iftar) putMessage(say("iftar"), name, verses.iftar, failed ? say("sound-failed") : meaning("iftar"));
      else putMessage(say("adhan"), name, state.page.adhanWords ? called(scene, at, isFajr) : "", failed ? say("sound-failed") : "");
      break;
    }
    case "dua": putMessage(say("dua"), "", verses.dua, meaning("dua")); break;
    case "iqama": putMessage(name, say("iqama"), "", say("rows")); break;
    case "adhkar": {
      const { index } = player.turn(verses.adhkarLengths.map((length, index) => ({ index, seconds: length * state.page.adhkarSeconds })), at - player.instant(scene.from));
      putMessage(say("adhkar"), "", verses.adhkar[index], meaning("adhkar", index));
      break;
    }
    case "khutba": putMessage(name, say("khutba"), "", say("listen")); break;
    case "waiting": putMessage("", say("wait"), "", isolated("systemctl status adhand")); break;
    case "to-iqama": putMessage("", "", "", player.left(player.instant(scene.target), at) <= 180 ? say("phones") : ""); break;
    default: putMessage("", "", "", "");
  }
  const titles = { adhan: "adhan", dua: "dua", iqama: "iqama", adhkar: "adhkar", khutba: "khutba" };
  const named_ = scene.eid ? "eid" : scene.prayer;
  putSecond((other) => [titles[scene.scene] && other.phrases[titles[scene.scene]],
    ["adhan", "iqama"].includes(scene.scene) && named_ && prayerName(named_, other)]);
}

export function drawCountdown(scene, at) {
  const target = player.instant(scene.target);
  let label = "";
  let seconds = null;
  if (scene.scene === "to-iqama") {
    label = prayerName(scene.prayer) + " · " + say("iqama-in");
    seconds = player.left(target, at);
  } else if (scene.scene === "prayer" && scene.eid) {
    // It has neither adhan nor iqama from which to count.
    label = prayerName("eid");
  } else if (scene.scene === "prayer" && target !== null) {
    label = say("since-iqama");
    seconds = player.since(target, at);
  } else {
    const next = player.due(state.next, at);
    if (next) {
      const fast = fastAt(at);
      const isFast = fast && next.kind === "adhan" && fast.date === player.localDate(player.instant(next.at), state);
      const name = next.kind === "khutba" ? say("khutba") : prayerName(next.prayer);
      // Who fasts counts to the meal, and to its end: imsak is when eating stops.
      const isIftar = isFast && next.prayer === "maghrib" && fast.iftar;
      const isSahur = isFast && next.prayer === "fajr" && fast.imsak && at < player.instant(fast.imsak);
      label = isIftar ? say("iftar-in") : isSahur ? say("sahur-ends-in") : next.kind === "eid" ? say("next-in-eid") : say("next-in", { prayer: name });
      seconds = player.left(player.instant(isSahur ? fast.imsak : next.at), at);
    }
  }
  write($("next-label"), label);
  const span = (kind) => (seconds === null ? "" : player.duration(seconds, kind));
  digits.write($("countdown"), span(state.page.digits));
  write($("next-spoken"), [label, seconds !== null && isolated(span(digitsIn(languages[0])))].filter(Boolean).join(" "));
}

/** Under the countdown to the iqama, one after another. */
export function drawBar(scene, at) {
  const due = scene.scene === "to-iqama" ? player.turn(announced("bar", at), at) : null;
  show($("bar"), due ? due.text : "");
}

export function drawClock(at, scene) {
  const calm = ["night", "khutba", "prayer"].includes(scene.scene);
  const isRoomy = sizes.layout === "full" && !document.body.dataset.slide;
  const shown = player.clockText(at, state, state.page.seconds && !calm && isRoomy);
  digits.write($("clock").firstElementChild, shown.text);
  write(clockHalf, shown.half ? languages[0].phrases[shown.half] : "");
  write($("clock-spoken"), time(new Date(at).toISOString()));
}
