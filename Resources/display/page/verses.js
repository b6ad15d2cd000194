// What is read in the pauses: the words of the call, the supplication after it, the remembrance after a prayer, and what is said
// when a fast is broken.
export const call = ["اللَّهُ أَكْبَرُ", "أَشْهَدُ أَنْ لَا إِلَٰهَ إِلَّا اللَّهُ", "أَشْهَدُ أَنَّ مُحَمَّدًا رَسُولُ اللَّهِ",
  "حَيَّ عَلَى الصَّلَاةِ", "حَيَّ عَلَى الْفَلَاحِ", "اللَّهُ أَكْبَرُ", "لَا إِلَٰهَ إِلَّا اللَّهُ"];
/** How many breaths each takes: the words of the call are said twice, and the takbirs by two in a breath. */
export const breaths = [2, 2, 2, 2, 2, 1, 1];
export const fajrCall = [...call.slice(0, 5), "الصَّلَاةُ خَيْرٌ مِنَ النَّوْمِ", ...call.slice(5)];
export const fajrBreaths = [...breaths.slice(0, 5), 2, ...breaths.slice(5)];
export const dua = "اللَّهُمَّ رَبَّ هَٰذِهِ الدَّعْوَةِ التَّامَّةِ، وَالصَّلَاةِ الْقَائِمَةِ، آتِ مُحَمَّدًا الْوَسِيلَةَ وَالْفَضِيلَةَ، وَابْعَثْهُ مَقَامًا مَحْمُودًا الَّذِي وَعَدْتَهُ";
export const adhkar = ["أَسْتَغْفِرُ اللَّهَ ×٣",
  "اللَّهُمَّ أَنْتَ السَّلَامُ وَمِنْكَ السَّلَامُ، تَبَارَكْتَ يَا ذَا الْجَلَالِ وَالْإِكْرَامِ",
  "سُبْحَانَ اللَّهِ ×٣٣", "الْحَمْدُ لِلَّهِ ×٣٣", "اللَّهُ أَكْبَرُ ×٣٣",
  "لَا إِلَٰهَ إِلَّا اللَّهُ وَحْدَهُ لَا شَرِيكَ لَهُ، لَهُ الْمُلْكُ وَلَهُ الْحَمْدُ وَهُوَ عَلَىٰ كُلِّ شَيْءٍ قَدِيرٌ"];
export const iftar = "ذَهَبَ الظَّمَأُ، وَابْتَلَّتِ الْعُرُوقُ، وَثَبَتَ الْأَجْرُ إِنْ شَاءَ اللَّهُ";
/** How long each part of the remembrance stays, beside the others: what is said thirty-three times takes longer. */
export const adhkarLengths = [1, 1, 2, 2, 2, 1];

/** What these texts mean, in languages in which the words are settled. Elsewhere there is none. */
export const translations = {
  en: {
    dua: "O Allah, Lord of this perfect call and of the prayer to be offered, grant Muhammad the privilege and the eminence, and raise him to the praised station that You have promised him.",
    adhkar: ["I ask Allah for forgiveness (3 times)",
      "O Allah, You are Peace, and from You comes peace. Blessed are You, Possessor of majesty and honour.",
      "Glory be to Allah (33 times)", "All praise is for Allah (33 times)", "Allah is the Greatest (33 times)",
      "There is no god but Allah alone, without partner. His is the dominion and His is the praise, and He has power over all things."],
    iftar: "The thirst has gone, the veins are moist, and the reward is certain, if Allah wills.",
  },
};
