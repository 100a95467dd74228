// Times differ on every run.
const changing = /^(?:auth_time|refresh_expires_in|expiresAt)$/;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function matchesText(shown: string, answer: unknown): boolean {
  return (
    typeof answer === 'string' &&
    new RegExp(`^${shown.split('…').map(escaped).join('[^]+')}$`).test(answer)
  );
}

function listDifferences(shown: readonly unknown[], answer: unknown, path: string): string[] {
  if (!Array.isArray(answer)) return [`${path} is no list`];
  const hasMore = shown.length > 1 && shown.at(-1) === '…' && answer.length >= shown.length;
  const expected = hasMore
    ? [...shown.slice(0, -1), ...Array<unknown>(answer.length - shown.length + 1).fill(shown[0])]
    : shown;
  if (expected.length !== answer.length)
    return [`${path} has ${answer.length} entries in place of ${shown.length}`];
  return expected.flatMap((entry, at) => differences(entry, answer[at], `${path}[${at}]`));
}

function memberDifferences(shown: object, answer: unknown, path: string): string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return [`${path} is no object`];
  const given = new Map<string, unknown>(Object.entries(answer));
  const missing = Object.keys(shown)
    .filter((name) => name !== '…' && !given.has(name))
    .map((name) => `${path}.${name} is shown, but not answered`);
  const extra = [...given.keys()]
    .filter((name) => !('…' in shown) && !(name in shown))
    .map((name) => `${path}.${name} is answered, but not shown`);
  const common = Object.entries(shown).filter(([name]) => given.has(name));
  return [
    ...missing,
    ...extra,
    ...common.flatMap(([name, value]) =>
      differences(value, given.get(name), `${path}.${name}`, changing.test(name)),
    ),
  ];
}

/**
 * Returns where an answer differs from what a guide shows, in members, types or values. `…` stands
 * for any characters in a string, for more entries like the first at the end of a list, and for
 * further members as a name. Values that always change only have to have the same type.
 */
export function differences(
  shown: unknown,
  answer: unknown,
  path = 'answer',
  isChanging = false,
): string[] {
  if (Array.isArray(shown)) return listDifferences(shown, answer, path);
  if (typeof shown === 'object' && shown !== null) return memberDifferences(shown, answer, path);
  const isSame =
    typeof shown === 'string'
      ? matchesText(shown, answer)
      : isChanging
        ? typeof shown === typeof answer
        : shown === answer;
  return isSame
    ? []
    : [`${path} is ${JSON.stringify(answer)} in place of ${JSON.stringify(shown)}`];
}
