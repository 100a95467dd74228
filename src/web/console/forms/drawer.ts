import { element } from '../../page/elements.ts';
import { isFilled } from '../../page/filled-field.ts';
import type { DeviceFetch } from '../device-proof.ts';
import { texts } from './texts/en.ts';

const fieldSelector = 'input:not([type=hidden]), select, textarea';

export interface DrawerOptions {
  /** Adds the scripted features to what a drawer shows. */
  enhance: (part: ParentNode) => void;
  /** Called when a drawer has closed. */
  onClosed: () => void;
}

/** The drawer that an element is in. */
export const drawerOf = (part: Element): HTMLDialogElement | null =>
  part.closest<HTMLDialogElement>('dialog.drawer');

/** Whether a drawer is open: the page behind it then stays as it is. */
export const isDrawerOpen = (): boolean => document.querySelector('dialog.drawer[open]') !== null;

/** The path of the page that a drawer shows. Undefined outside of drawers. */
export const drawerPath = (part: Element): string | undefined => drawerOf(part)?.dataset.page;

const closeButton = (label: string, look: string): HTMLButtonElement =>
  element('button', { type: 'button', class: `btn ${look}`, 'data-close': '' }, label);

/** Puts a way to close into the row of the form's buttons, which stays in sight. */
function addFooter(body: Element): void {
  const row = body.querySelector('form[data-send]:not(.form-inline) > .btn-row:last-child');
  if (!row) {
    const done = closeButton(texts.drawer.done, 'btn-primary');
    body.append(element('div', { class: 'btn-row drawer-actions' }, done));
    return;
  }
  row.classList.add('drawer-actions');
  row.querySelector('[data-cancel]')?.remove();
  row.prepend(closeButton(texts.drawer.cancel, 'btn-secondary'));
}

/** The first field of the form, else the button that sends it. */
function focusFirst(body: Element): void {
  const fields = [...body.querySelectorAll<HTMLElement>(fieldSelector)];
  const first = fields.find((field) => field.matches(':enabled') && field.checkVisibility());
  (first ?? body.querySelector<HTMLElement>('.drawer-actions .btn:last-child'))?.focus();
}

/** Shows the title and the content of a page in a drawer. Returns false for a page without any. */
export function fillDrawer(
  drawer: HTMLDialogElement,
  page: Document,
  { enhance }: Pick<DrawerOptions, 'enhance'>,
): boolean {
  const main = page.querySelector('main');
  const body = drawer.querySelector('.drawer-body:not([hidden])');
  if (!main || !body) return false;
  const title = main.querySelector('h1')?.textContent ?? page.title;
  drawer.querySelector('h2')?.replaceChildren(title);
  for (const each of main.querySelectorAll(':scope > .page-head, :scope > #notice:empty'))
    each.remove();
  body.replaceChildren(...[...main.childNodes].map((node) => document.adoptNode(node)));
  enhance(body);
  addFooter(body);
  body.scrollTop = 0;
  focusFirst(body);
  return true;
}

/** Asks before a drawer closes in which something was typed. */
function askToDiscard(drawer: HTMLDialogElement): void {
  if (drawer.querySelector('.drawer-ask')) return;
  const discard = closeButton(texts.drawer.discard, 'btn-secondary');
  discard.dataset.close = 'discard';
  const keep = element('button', { type: 'button', class: 'btn btn-primary' }, texts.drawer.keep);
  const ask = element(
    'div',
    { class: 'drawer-ask', role: 'alertdialog', 'aria-label': texts.drawer.question },
    element('p', {}, texts.drawer.question),
    element('div', { class: 'btn-row' }, discard, keep),
  );
  keep.onclick = () => {
    ask.remove();
    focusFirst(drawer);
  };
  drawer.append(ask);
  keep.focus();
}

const isChanged = (drawer: HTMLDialogElement): boolean =>
  drawer.dataset.done === undefined && [...drawer.querySelectorAll(fieldSelector)].some(isFilled);

/**
 * Closes a drawer, after a question if something was typed. What covers it goes first: the event
 * `leave` is cancelled then.
 */
function leave(drawer: HTMLDialogElement): void {
  if (!drawer.dispatchEvent(new Event('leave', { cancelable: true }))) return;
  if (isChanged(drawer)) askToDiscard(drawer);
  else drawer.close();
}

function createDrawer(path: string): HTMLDialogElement {
  const close = element(
    'button',
    { type: 'button', class: 'btn btn-ghost btn-icon', 'data-close': '' },
    element('span', { 'aria-hidden': 'true' }, '×'),
    element('span', { class: 'visually-hidden' }, texts.drawer.close),
  );
  const head = element('div', { class: 'overlay-head' }, element('h2', { id: 'drawer-title' }));
  head.append(close);
  const attributes = { class: 'drawer', 'aria-labelledby': 'drawer-title', 'data-page': path };
  const drawer = element('dialog', attributes, head, element('div', { class: 'drawer-body' }));
  drawer.addEventListener('cancel', (event) => {
    if (event.target !== drawer) return;
    event.preventDefault();
    leave(drawer);
  });
  drawer.addEventListener('pointerdown', (event) => {
    // The dialog itself is the target only beside its content: on what covers the page.
    if (event.target === drawer && event.clientX < drawer.getBoundingClientRect().left)
      leave(drawer);
  });
  drawer.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-close]') : null;
    if (button?.dataset.close === 'discard') drawer.close();
    else if (button) leave(drawer);
  });
  return drawer;
}

/** Gives the focus back to what opened the drawer, which may have been replaced meanwhile. */
function restoreFocus(opener: HTMLElement, path: string): void {
  const same = [...document.querySelectorAll<HTMLElement>('a[data-drawer]')].find(
    (each) => each.getAttribute('href') === path,
  );
  const heir = opener.isConnected ? opener : same;
  (heir ?? document.querySelector<HTMLElement>('main'))?.focus();
}

/**
 * Shows a page in a new drawer. Returns undefined for a page without content. `path` is the page's
 * own; `onClosed` is called when the drawer has gone.
 */
export function showDrawer(
  path: string,
  page: Document,
  { enhance, onClosed }: DrawerOptions,
): HTMLDialogElement | undefined {
  const drawer = createDrawer(path);
  // Before the page, so that its ids are found first: labels then name the drawer's fields.
  document.body.prepend(drawer);
  drawer.showModal();
  drawer.addEventListener('close', () => {
    drawer.remove();
    onClosed();
  });
  if (fillDrawer(drawer, page, { enhance })) return drawer;
  drawer.remove();
  return undefined;
}

/** Shows a page over what a drawer shows. Returns the function that brings that back. */
export function coverDrawer(
  drawer: HTMLDialogElement,
  page: Document,
  options: Pick<DrawerOptions, 'enhance'>,
): () => void {
  const below = drawer.querySelector<HTMLElement>('.drawer-body');
  const title = drawer.querySelector('h2');
  const [text, focused] = [title?.textContent ?? '', document.activeElement];
  const cover = element('div', { class: 'drawer-body drawer-cover' });
  if (below) below.hidden = true;
  drawer.append(cover);
  fillDrawer(drawer, page, options);
  return () => {
    cover.remove();
    title?.replaceChildren(text);
    if (below) below.hidden = false;
    if (focused instanceof HTMLElement) focused.focus();
  };
}

/** Opens a page in a drawer. Leads to the page where that is not possible. */
async function open(
  opener: HTMLElement,
  path: string,
  deviceFetch: DeviceFetch,
  { enhance, onClosed }: DrawerOptions,
): Promise<void> {
  const response = await deviceFetch(path);
  if (response.redirected || response.status === 204 || !response.ok) {
    location.assign(path);
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const drawer = showDrawer(path, page, {
    enhance,
    onClosed() {
      // What is shown only once has been made: the page behind does not know it yet.
      if (drawer?.dataset.done !== undefined) location.reload();
      else {
        restoreFocus(opener, path);
        onClosed();
      }
    },
  });
  if (!drawer) location.assign(path);
}

/** Shows another page in an open drawer. Leads to the page where that is not possible. */
async function turn(
  drawer: HTMLDialogElement,
  path: string,
  deviceFetch: DeviceFetch,
  options: Pick<DrawerOptions, 'enhance'>,
): Promise<void> {
  const response = await deviceFetch(path);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (response.redirected || !response.ok || !fillDrawer(drawer, page, options)) {
    location.assign(path);
    return;
  }
  drawer.dataset.page = path;
}

/**
 * Opens the page of a link in a drawer; one in a drawer replaces what that shows. A form in it is
 * sent as on its page; what it leads to replaces the page behind it. Leads to the page itself where
 * it cannot be a drawer.
 */
export function openDrawer(
  link: HTMLAnchorElement,
  deviceFetch: DeviceFetch,
  options: DrawerOptions,
): void {
  const path = link.getAttribute('href') ?? '';
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  const drawer = drawerOf(link);
  const shown = drawer
    ? turn(drawer, path, deviceFetch, options)
    : open(link, path, deviceFetch, options);
  void shown
    .catch(() => location.assign(path))
    .finally(() => {
      link.ariaBusy = null;
    });
}
