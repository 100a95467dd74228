import { Idiomorph } from 'idiomorph';
import { isFilled } from './filled-field.ts';
import { addIds, removeIds } from './identities.ts';

const isField = (node: Node): node is Element =>
  node instanceof Element && node.matches('input:not([type=hidden]), select, textarea');

/** Opens and closes the details of a newer edition as the user has done in the older one. */
function keepOpen(part: Element, newer: Element): void {
  const newerDetails = new Map(
    [...newer.querySelectorAll('details')].map((each) => [each.getAttribute('id'), each]),
  );
  for (const each of part.querySelectorAll('details'))
    newerDetails.get(each.getAttribute('id'))?.toggleAttribute('open', each.open);
}

/** True for attributes that hold the state of the page rather than output of the server. */
const isState = (name: string, element: Element): boolean =>
  (name === 'aria-busy' && element.matches('form')) ||
  (name === 'tabindex' && element === document.activeElement);

/**
 * Changes a part of the page into a newer edition of it. What the user is doing stays: the focus is
 * on the same control of the same row, fields keep what was typed, details stay open.
 * `onFocusLost` is called with the part when the focused element has gone.
 */
export function morphPart(
  part: Element,
  newer: Element,
  onFocusLost: (part: HTMLElement | null) => void,
): void {
  if (part.isEqualNode(newer)) return;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const { id } = part;
  addIds(part, newer);
  keepOpen(part, newer);
  // It returns a promise only where it loads what a new head asks for.
  void Idiomorph.morph(part, newer, {
    // Its own way of restoring the focus scrolls.
    restoreFocus: false,
    callbacks: {
      beforeNodeMorphed: (node) =>
        !isField(node) || !(isFilled(node) || node === document.activeElement),
      beforeAttributeUpdated: (name, element, kind) => kind !== 'remove' || !isState(name, element),
    },
  });
  removeIds();
  if (!(focused instanceof HTMLElement) || focused === document.activeElement) return;
  // Browsers that can't move an element without removing it have dropped the focus.
  if (focused.isConnected) focused.focus({ preventScroll: true });
  else onFocusLost(document.getElementById(id));
}
