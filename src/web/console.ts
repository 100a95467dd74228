import { feedEvents } from './console-feed.ts';
import { addCopyButtons } from './console-copy.ts';
import { sendForms } from './console-forms.ts';
import { startInspector } from './console-inspector.ts';
import { keepLive } from './console-live.ts';
import { openPalettes } from './console-palette.ts';
import { createAsk } from './console-proof.ts';
import { createLiveSocket } from './console-socket.ts';
import { selectAll } from './console-table.ts';
import { localTimes, offerOwnZone } from './console-times.ts';

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Says something where a person looks, and aloud. */
function say(text: string, isError = false): void {
  const notice = find('#notice');
  const line = document.createElement('p');
  line.className = isError ? 'error' : '';
  line.textContent = text;
  notice?.replaceChildren(line);
  notice?.scrollIntoView({ block: 'nearest' });
}

/** Says aloud what can be seen already. */
function announce(text: string): void {
  find('#said')?.replaceChildren(text);
}

function searchBySlash(): void {
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.matches('input, select, textarea, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    find('#find')?.focus();
  });
}

/** Menus that hang from the bar close as people expect: by Escape, and by a click elsewhere. */
function closeMenus(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.person');
  document.addEventListener('click', ({ target }) => {
    if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu?.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

/** What the script adds to a part of the page, as it comes from the server. */
function complete(part: ParentNode): void {
  localTimes(part);
  selectAll(part);
  offerOwnZone(part);
  addCopyButtons(part, announce);
}

const ask = createAsk();
const channels = find('main')?.dataset.channels?.split(' ') ?? [];
complete(document);
searchBySlash();
closeMenus();
openPalettes(ask);
sendForms(ask, say, complete);
const refresh = keepLive(ask, complete);
const live = createLiveSocket(channels);
live.onMessage(({ channel }) => {
  if (channels.includes(channel)) refresh();
});
feedEvents(live);
startInspector(live, say);
