const redacted = '[redacted]';
const stringLimit = 200;
const depthLimit = 4;
const memberLimit = 25;
/** Maximum number of values in an echo, so that nested containers cannot multiply. */
const valueLimit = 250;

const secretNames: readonly RegExp[] = [
  /pass(?:word|wd|phrase|code)|secret|token|authorization|cookie|credential/,
  /(?:api|access|private|signing|meta|file)_?key/,
  /(?:^|_)(?:t?otp|pin|pwd|jwt|assertion|verifier|signature)s?(?:_|$)/,
  /(?:^|_)(?:codes?|session)$/,
];
const secretWord =
  'code|token|secret|pass(?:word|wd|phrase)|otp|pin|key|authorization|assertion|verifier|session';
const secretAssignment = new RegExp(
  String.raw`([\w-]{0,40}(?:${secretWord})s?(?:\[\w{0,20}\])?["']?\s{0,3}[=:]\s{0,3})` +
    String.raw`("(?:[^"\\]|\\.)*"?|[^&\s,;}]+)`,
  'gi',
);
const bearer = /\b(bearer|basic)\s+\S+/gi;

function isSecretName(name: string): boolean {
  const snakeCase = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]/g, '_')
    .toLowerCase();
  return secretNames.some((pattern) => pattern.test(snakeCase));
}

function echoText(text: string): string {
  // Truncated before matching, so that the patterns never run over megabytes.
  const cut = text.slice(0, stringLimit * 2);
  const safe = cut.replace(bearer, `$1 ${redacted}`).replace(secretAssignment, `$1${redacted}`);
  return text.length <= stringLimit
    ? safe
    : `${safe.slice(0, stringLimit)}… (${text.length} characters)`;
}

interface EchoBudget {
  values: number;
}

function echoArray(values: readonly unknown[], depth: number, budget: EchoBudget): unknown[] {
  const shown = values.slice(0, memberLimit).map((value) => echoValue(value, depth - 1, budget));
  return values.length <= memberLimit ? shown : [...shown, `… (${values.length} items)`];
}

function echoObject(value: object, depth: number, budget: EchoBudget): Record<string, unknown> {
  const names = Object.keys(value);
  const shown = names
    .slice(0, memberLimit)
    .map((name): [string, unknown] => [
      echoText(name),
      isSecretName(name) ? redacted : echoValue(Reflect.get(value, name), depth - 1, budget),
    ]);
  if (names.length > memberLimit) shown.push(['…', `(${names.length} members)`]);
  return Object.fromEntries(shown);
}

function echoValue(value: unknown, depth: number, budget: EchoBudget): unknown {
  budget.values -= 1;
  if (typeof value === 'string') return echoText(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth === 0 || budget.values <= 0) return Array.isArray(value) ? '[array]' : '[object]';
  return Array.isArray(value) ? echoArray(value, depth, budget) : echoObject(value, depth, budget);
}

/**
 * Returns the copy of a refused value that an error may echo: short, and without anything that
 * looks like a secret by the names of its members and of its `path`. FastAPI echoes the value
 * unchanged; this deviates on purpose.
 */
export function echoInput(value: unknown, path: readonly PropertyKey[]): unknown {
  if (value !== undefined && path.some((name) => typeof name === 'string' && isSecretName(name)))
    return redacted;
  return echoValue(value, depthLimit, { values: valueLimit });
}
