import type { DeviceFetch } from '../device-proof.ts';
import { texts } from './texts/en.ts';
import { type Catalogue, type Group, matching, type Option } from './catalogue.ts';
import type { Options } from './options.ts';
import { recentPlaces } from './recent.ts';

/** A pause in typing, ms: one request for each. */
const pauseMs = 140;
const minLength = 2;

type Answer = Option & { group: string };

/** Puts the answers under their headings; a place that the page knows already is not repeated. */
function merged(known: readonly Group[], answers: readonly Answer[]): Group[] {
  const hrefs = new Set(known.flatMap(({ places }) => places.map(({ href }) => href)));
  const groups = new Map<string, Option[]>();
  for (const { group, ...option } of answers)
    if (!hrefs.has(option.href)) groups.set(group, [...(groups.get(group) ?? []), option]);
  return [...known, ...Array.from(groups, ([title, places]) => ({ title, places }))];
}

/** Creates the search: what the page knows at once, what the server finds after a pause. */
export function createLookUp(
  deviceFetch: DeviceFetch,
  catalogue: Catalogue,
  { options, announce }: { options: Options; announce: (text: string) => void },
) {
  let timer = 0;
  let last = 0;
  /** Enter was pressed before the server answered. */
  let isAwaited = false;
  let isPending = false;

  function showAll(): void {
    const recent = recentPlaces();
    options.show([
      ...(recent.length > 0 ? [{ title: texts.recent, places: recent }] : []),
      ...catalogue.groups,
    ]);
  }

  /** What can be opened when nothing was found. */
  const wayOn = (text: string): Group => ({
    title: texts.nothing({ text }),
    places: [{ name: texts.everything, icon: 'list', href: catalogue.search }],
  });

  async function ask(text: string): Promise<Answer[]> {
    const response = await deviceFetch(catalogue.search, {
      method: 'POST',
      body: new URLSearchParams({ q: text }),
      accept: 'application/json',
    });
    if (!response.ok) throw new Error(String(response.status));
    return ((await response.json()) as { data: Answer[] }).data;
  }

  async function complete(text: string, known: readonly Group[], number: number): Promise<void> {
    const answers = await ask(text).catch(() => undefined);
    if (number !== last) return;
    isPending = false;
    const groups = merged(known, answers ?? []);
    const isFound = groups.length > 0;
    if (isFound) options.show(groups, text, true);
    else if (answers) options.show([wayOn(text)]);
    else options.say(texts.failed);
    announce(answers ? texts.count({ count: isFound ? options.count() : 0 }) : texts.failed);
    if (isAwaited && isFound) options.choose();
    isAwaited = false;
  }

  return {
    /** Shows what a text finds; without one, recent pages and everything there is. */
    find(text: string): void {
      clearTimeout(timer);
      const number = (last += 1);
      [isAwaited, isPending] = [false, false];
      if (text === '') {
        showAll();
        return;
      }
      const known = matching(catalogue, text);
      if (known.length > 0) options.show(known, text);
      else options.say(text.length < minLength ? texts.more : texts.searching);
      if (text.length < minLength) return;
      isPending = true;
      timer = window.setTimeout(() => void complete(text, known, number), pauseMs);
    },

    /** Opens the active option; before there is one, the first that the server finds. */
    choose(isNewTab: boolean): void {
      if (isPending && options.count() === 0) isAwaited = true;
      else options.choose(isNewTab);
    },
  };
}
