// Pairs rows, forms and controls of two editions of a part by what they act on, so that none comes
// to mean another one.

const controls =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
const controlAttributes = [
  ...['type', 'name', 'href', 'form', 'formaction', 'popovertarget'],
  ...['aria-label', 'aria-describedby'],
];
const prefix = 'paired-';

type KeyOf = (element: Element) => string;
/** The elements of the older and of the newer edition. */
type Both = readonly [older: Element[], newer: Element[]];

function createIds(): () => string {
  let last = 0;
  return () => `${prefix}${(last += 1)}`;
}

/** The closest element around another one that has an id by now. */
const around = (element: Element): string =>
  element.parentElement?.closest('[id]')?.getAttribute('id') ?? '';

const hiddenInputs = (element: Element | null): string[] =>
  [...(element?.querySelectorAll('input[type=hidden]') ?? [])].map(({ outerHTML }) => outerHTML);

const headingOf: KeyOf = (row) =>
  `${row.parentElement?.localName} ${row.querySelector('th')?.textContent}`;

/** All that a row links to, submits or selects. */
const actionsOf: KeyOf = (row) =>
  [
    ...hiddenInputs(row),
    ...[...row.querySelectorAll('a[href], form, button, [type=checkbox], [type=radio]')].map(
      (each) =>
        each.getAttribute('href') ??
        each.getAttribute('action') ??
        each.getAttribute('formaction') ??
        each.getAttribute('value'),
    ),
  ].join('\n');

const formOf: KeyOf = (form) => [form.getAttribute('action'), ...hiddenInputs(form)].join('\n');

const detailsOf: KeyOf = (details) => {
  const form = details.querySelector('form');
  return [details.querySelector('summary')?.textContent, form && formOf(form)].join('\n');
};

const controlOf: KeyOf = (control) => {
  const isSubmit = control.matches('button:not([type=button])');
  const hasFixedValue = control.matches('button, [type=checkbox], [type=radio], [type=submit]');
  return [
    ...controlAttributes.map((name) => control.getAttribute(name)),
    hasFixedValue ? control.getAttribute('value') : '',
    isSubmit ? control.textContent : '',
  ].join('\n');
};

const textOf: KeyOf = (element) => element.textContent;

function groupBy(elements: readonly Element[], keyOf: KeyOf): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key) ?? [];
    group.push(element);
    groups.set(key, group);
  }
  return groups;
}

/** Gives elements the same id if their keys are the same; if several have it, by the next key. */
function pair(
  [older, newer]: Both,
  [keyOf, ...nextKeys]: readonly KeyOf[],
  newId: () => string,
): void {
  if (!keyOf) {
    // What still has the same keys does the same. If the numbers differ, none has a counterpart.
    const ids = older.map(newId);
    for (const [at, each] of older.entries()) each.setAttribute('id', ids[at] ?? '');
    const isSame = older.length === newer.length;
    for (const [at, each] of newer.entries())
      each.setAttribute('id', (isSame ? ids[at] : undefined) ?? newId());
    return;
  }
  const [olderGroups, newerGroups] = [groupBy(older, keyOf), groupBy(newer, keyOf)];
  for (const key of new Set([...olderGroups.keys(), ...newerGroups.keys()])) {
    const group: Both = [olderGroups.get(key) ?? [], newerGroups.get(key) ?? []];
    pair(group, group.every(({ length }) => length <= 1) ? [] : nextKeys, newId);
  }
}

/**
 * Gives ids to the rows, forms and controls of both editions that have none: the same to those that
 * mean the same.
 */
export function addIds(older: Element, newer: Element): void {
  const newId = createIds();
  const addTo = (selector: string, keyOf: KeyOf, nextKeyOf: KeyOf) => {
    const within = (part: Element) => [...part.querySelectorAll(`:is(${selector}):not([id])`)];
    const inContext: KeyOf = (each) => `${each.localName}\n${around(each)}\n${keyOf(each)}`;
    pair([within(older), within(newer)], [inContext, nextKeyOf], newId);
  };
  // From the outside to the inside: the id around an element is part of its key.
  addTo('tr', headingOf, actionsOf);
  addTo('form', formOf, textOf);
  addTo('details', detailsOf, textOf);
  addTo(controls, controlOf, textOf);
}

/** Removes the added ids from the page. */
export function removeIds(): void {
  for (const each of document.querySelectorAll(`[id^=${prefix}]`)) each.removeAttribute('id');
}
