// Words that are too common to search for.
const common = new Set(
  (
    '127 127.0.0.1 3000 a about after again all also an and another any are as at be ' +
    'because before both but by can do does each every for from get has have how i if in ' +
    'into is it its itself may more must my no not of off on once one only or other out ' +
    'over own same says so such than that the their them then there these they this to ' +
    'too two until up was what when where which who with within would you your ' +
    'without first last most use used uses set new need needs nothing never sent five ten three ' +
    'doesn don isn aren while between under below above default see still even just like here ' +
    'keep keeps come comes whether contains returns minutes seconds least many much well yet ' +
    'nobody somebody anybody everybody else instead now later gives give gets makes make made ' +
    'go goes away otherwise therefore already takes take whose both four six twice ' +
    'anyone someone everyone everything immediately long old part per ends end next previous ' +
    'work works show shows wrong meaning ' +
    '000 100 200 characters choose counts except names none rejected required sends service ' +
    'stored ' +
    'api id add read run find return field example unknown ' +
    'stores through true valid value kinds kind given starts start open opens changed write'
  ).split(' '),
);
const excerptLength = 34;
// Dates of examples are no words to search for.
// Ids, hashes and bytes of examples neither.
const identifiers = /^(?=.*\d)[\da-f]{6,}$/;
// A number of two digits is in half of the guides, and a long one only in examples.
const numbers = /^\d\d$|^\d{5,}/;
const timestamps = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g;

/**
 * Returns the searchable words of a text; names such as `otp.invalid` count whole and in parts.
 */
function wordsOf(text) {
  const names =
    text
      .replace(timestamps, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+(?:[._-][a-z0-9]+)*/g) ?? [];
  return names
    .flatMap((name) => (/[._-]/.test(name) ? [name, ...name.split(/[._-]/)] : [name]))
    .filter(
      (word) =>
        word.length > 1 &&
        word.length <= 30 &&
        !common.has(word) &&
        !numbers.test(word) &&
        !identifiers.test(word),
    );
}

// Numbers and file names of examples are anybody's own.
const isOfExample = (word) =>
  /^\d|\.(?:csv|html|jpe?g|js|json|ndjson|pdf|png|svg|txt|zip)$/.test(word);

function cut(text) {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= excerptLength
    ? flat
    : `${flat.slice(0, flat.lastIndexOf(' ', excerptLength))} …`;
}

// The weight of a word is 0 in an example, 1 in the text and 2 in the heading.
function weights({ heading, title, text, code }) {
  const found = new Map();
  for (const word of wordsOf(code)) if (!isOfExample(word)) found.set(word, 0);
  for (const word of wordsOf(text)) found.set(word, 1);
  for (const word of wordsOf(heading === undefined ? title : heading.text)) found.set(word, 2);
  return found;
}

/** Encodes postings as distances in base 36: a tenth smaller than the numbers themselves. */
const encodePostings = (postings) =>
  postings.map((posting, at) => (posting - (postings[at - 1] ?? 0)).toString(36)).join(' ');

/** Encodes a word as the number of letters shared with the one before, and its other letters. */
function encodeWord(word, before = '') {
  let shared = 0;
  while (shared < before.length && before[shared] === word[shared]) shared += 1;
  return `${shared.toString(36)}${word.slice(shared)}`;
}

/** One posting a section, the one of the greatest weight: two may differ in that only. */
const heaviest = (postings) => [
  ...new Map(
    postings.sort((a, b) => a - b).map((posting) => [Math.floor(posting / 3), posting]),
  ).values(),
];

/** Counts plurals as their singular, as far as it is there: the search looks for that only. */
function mergePlurals(terms) {
  for (const [word, postings] of [...terms]) {
    const singular = word.slice(0, -1);
    if (word.length < 4 || !word.endsWith('s') || !terms.has(singular)) continue;
    terms.set(singular, heaviest([...terms.get(singular), ...postings]));
    terms.delete(word);
  }
}

/**
 * Builds an inverted index of sections: `sections` are [slug, title, id of the heading, heading,
 * start of the text, for whole guides]. The first line of `terms` has all words (see `encodeWord`),
 * the others their postings: the number of a section that contains the word, times three, plus its
 * weight there, as the distance from the previous posting.
 */
export function searchIndex(sections) {
  const terms = new Map();
  for (const [number, section] of sections.entries()) {
    for (const [word, weight] of weights(section))
      terms.set(word, [...(terms.get(word) ?? []), number * 3 + weight]);
  }
  mergePlurals(terms);
  // Examples are looked up only for words that no text has: `curl` and `content-type` are in all.
  for (const [word, postings] of terms) {
    const inTexts = postings.filter((posting) => posting % 3 > 0);
    if (inTexts.length > 0) terms.set(word, inTexts);
  }
  const entries = sections.map(({ slug, title, heading, text }) => [
    slug,
    title,
    heading?.id ?? '',
    heading?.text ?? '',
    // Headings speak for themselves; the start of each section would be a fifth of the index.
    heading === undefined ? cut(text) : '',
  ]);
  const sorted = [...terms].sort(([a], [b]) => (a < b ? -1 : 1));
  const words = sorted.map(([word], at) => encodeWord(word, sorted[at - 1]?.[0]));
  const postings = sorted.map(([, each]) => encodePostings(each));
  return { sections: entries, terms: [words.join(' '), ...postings].join('\n') };
}
