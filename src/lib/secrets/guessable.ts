/** Words of weak secrets and of examples, compared after undoing leetspeak. */
const words = [
  'admin',
  'administrator',
  'apikey',
  'api',
  'app',
  'auth',
  'battery',
  'changeit',
  'changeme',
  'change',
  'client',
  'code',
  'company',
  'computer',
  'correct',
  'credential',
  'database',
  'default',
  'demo',
  'dev',
  'development',
  'dragon',
  'dummy',
  'example',
  'fake',
  'football',
  'foobar',
  'hello',
  'hidden',
  'horse',
  'hunter',
  'insert',
  'insecure',
  'iloveyou',
  'jwt',
  'key',
  'letmein',
  'local',
  'localhost',
  'login',
  'long',
  'master',
  'minimum',
  'monkey',
  'must',
  'mysecret',
  'none',
  'null',
  'pass',
  'passphrase',
  'password',
  'passwort',
  'phrase',
  'placeholder',
  'platform',
  'please',
  'postgres',
  'princess',
  'private',
  'prod',
  'production',
  'public',
  'qwerty',
  'random',
  'redis',
  'replace',
  'replaceme',
  'root',
  'sample',
  'secret',
  'secure',
  'server',
  'service',
  'session',
  'shadow',
  'sign',
  'staging',
  'staple',
  'string',
  'sunshine',
  'super',
  'supersecret',
  'temp',
  'test',
  'testing',
  'text',
  'this',
  'todo',
  'token',
  'undefined',
  'unsafe',
  'user',
  'value',
  'very',
  'webhook',
  'welcome',
  'with',
  'your',
  'characters',
  'least',
  'that',
  'the',
  'here',
  'not',
  'use',
  'set',
  'me',
  'my',
  'to',
  'at',
  'be',
  'is',
  'in',
  'for',
].sort((a, b) => b.length - a.length);

const rows = [
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '0123456789abcdef0123456789abcdef',
  'qwertyuiopasdfghjklzxcvbnmqwertyuiop',
  '1234567890qwertyuiop',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '!@#$%^&*()_+',
  '00112233445566778899aabbccddeeff',
].flatMap((row) => [row, Array.from(row).reverse().join('')]);

const leet = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }),
);

/** Cost in bits of parts that are cheaper to guess than their single characters. */
const costs = { word: 8, sequence: 6, repetition: 6 };
/** Secrets with fewer bits can be found by brute force. */
const minBits = 60;
/** The minimum for a secret made almost only of such parts, which attackers try first. */
const minBitsOfParts = 100;
const minRun = 4;
const maxLength = 512;

export type Weakness =
  | 'is made of common words'
  | 'is a sequence of the alphabet or the keyboard'
  | 'repeats itself'
  | 'has too few different characters';

interface Part {
  length: number;
  bits: number;
  weakness: Weakness;
}

const undoLeet = (text: string): string =>
  Array.from(text, (character) => leet.get(character) ?? character).join('');

/**
 * Returns the number of characters from `at` on that repeat earlier ones, possibly overlapping, as
 * in `aaaa`.
 */
function repetitionAt(text: string, at: number): number {
  let longest = 0;
  for (let from = 0; from < at; from += 1) {
    let length = 0;
    while (at + length < text.length && text[from + length] === text[at + length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

function sequenceAt(text: string, at: number): number {
  let length = minRun - 1;
  while (
    at + length < text.length &&
    rows.some((row) => row.includes(text.slice(at, at + length + 1)))
  )
    length += 1;
  return length;
}

/** Returns the length of the word at `at`, including its separator; 0 without one. */
function wordAt(text: string, at: number): number {
  const word = words.find((each) => text.startsWith(each, at));
  return word === undefined
    ? 0
    : word.length + (/^[-_. ]*/.exec(text.slice(at + word.length))?.[0].length ?? 0);
}

/** Returns the longest part from `at` on that is cheap to guess. */
function cheapPartAt(text: string, plain: string, at: number): Part | undefined {
  const parts: Part[] = [
    { length: wordAt(plain, at), bits: costs.word, weakness: 'is made of common words' },
    {
      length: sequenceAt(text, at),
      bits: costs.sequence,
      weakness: 'is a sequence of the alphabet or the keyboard',
    },
    { length: repetitionAt(text, at), bits: costs.repetition, weakness: 'repeats itself' },
  ];
  const usable = parts.filter(
    ({ length, weakness }) => length >= (weakness === 'is made of common words' ? 2 : minRun),
  );
  return usable.sort((a, b) => b.length - a.length)[0];
}

/** Estimates the size of the alphabet of a text from its characters. */
function alphabetOf(text: string): number {
  const distinct = new Set(text).size;
  if (distinct <= 6) return distinct;
  if (/^[0-9a-f]*$/i.test(text)) return /[a-f]/i.test(text) ? 16 : 10;
  const classes: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^a-z0-9]/i, 8],
  ];
  return classes.reduce((sum, [form, size]) => sum + (form.test(text) ? size : 0), 0);
}

function weaknessOf(secret: string): Weakness | undefined {
  const text = secret.slice(0, maxLength).toLowerCase();
  const plain = undoLeet(text);
  const perCharacter = Math.log2(Math.max(1, alphabetOf(secret)));
  const covered = new Map<Weakness, number>();
  let bits = 0;
  for (let at = 0; at < text.length;) {
    const part = cheapPartAt(text, plain, at);
    // Random text has short words by chance, so a part counts only if it is cheaper than its
    // characters.
    const isCheap = part !== undefined && part.bits < part.length * perCharacter;
    if (isCheap) covered.set(part.weakness, (covered.get(part.weakness) ?? 0) + part.length);
    bits += isCheap ? part.bits : perCharacter;
    at += isCheap ? part.length : 1;
  }
  const share = [...covered.values()].reduce((sum, length) => sum + length, 0) / text.length;
  if (bits >= (share > 0.75 ? minBitsOfParts : minBits)) return undefined;
  const [most] = [...covered].sort(([, a], [, b]) => b - a);
  return most === undefined || most[1] < text.length / 3
    ? 'has too few different characters'
    : most[0];
}

/** Returns the texts that a secret may encode as base64 or hexadecimal. */
function decoded(secret: string): string[] {
  const encodings = [
    ...(/^(?:[0-9a-f]{2})+$/i.test(secret) ? ['hex' as const] : []),
    ...(/^[\w+/-]+={0,2}$/.test(secret) ? ['base64' as const] : []),
  ];
  return encodings
    .map((encoding) => Buffer.from(secret, encoding).toString('latin1'))
    .filter((text) => /^[\x20-\x7e\n]{4,}$/.test(text));
}

/**
 * Returns why a secret can be guessed; undefined when no weakness is found. Adds up the cost of
 * guessing each part: words of examples and common passwords (including leetspeak), sequences of
 * the keyboard and the alphabet, repetitions, or else single characters of the alphabet in use. A
 * random secret of 16 or more hexadecimal digits passes.
 */
export function weaknessOfSecret(secret: string): Weakness | undefined {
  const own = secret.replace(/^(?:whsec|sk|pk|rk|svck)_(?:live_|test_)?/, '');
  const weaknesses = [own, ...decoded(own)].map(weaknessOf);
  return weaknesses.find((weakness) => weakness !== undefined);
}

/** True for a placeholder, such as those in examples of configuration. */
export function isPlaceholder(text: string): boolean {
  return /change.?me|placeholder|example|secret|password|dummy|^your[-_. ]|^<.*>$|^(.)\1+$/i.test(
    text,
  );
}
