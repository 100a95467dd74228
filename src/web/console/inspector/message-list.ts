import { element } from '../../page/elements.ts';
import { texts } from './texts/en.ts';

const { messages: words } = texts;
const maxItems = 200;
const maxRemembered = 2000;
const maxJsonLength = 20_000;
const announceEveryMs = 5000;
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export interface ShownMessage {
  channel: string;
  data: unknown;
  offset: number;
  /** From the channel's history. */
  isOld: boolean;
}

const memberOf = (data: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Shows the time that an old message contains; now for a new one. */
function createTime({ data, isOld }: ShownMessage): HTMLElement {
  const at = isOld ? Date.parse(memberOf(data, 'time') ?? '') : Date.now();
  if (Number.isNaN(at)) return element('span', {}, '–');
  const instant = new Date(at).toISOString();
  return element('time', { datetime: instant, title: instant }, clock.format(at));
}

function createJson(data: unknown): HTMLElement {
  const text = data === undefined ? '' : JSON.stringify(data, undefined, 2);
  const rest = text.length - maxJsonLength;
  // Focusable, so that long messages can be scrolled by keyboard.
  return element(
    'pre',
    { tabindex: '0' },
    rest > 0 ? words.cut({ shown: text.slice(0, maxJsonLength), rest }) : text,
  );
}

function createItem(message: ShownMessage): HTMLElement {
  const { channel, data, isOld } = message;
  return element(
    'li',
    isOld ? {} : { class: 'new' },
    createTime(message),
    element('code', {}, channel),
    element('span', { class: 'badge info' }, memberOf(data, 'type') ?? words.noType),
    ...(isOld ? [element('span', { class: 'badge quiet' }, words.fromHistory)] : []),
    createJson(data),
  );
}

/** Shows the number of messages, and announces it to screen readers at intervals. */
function createCounter() {
  const counter = document.getElementById('shown');
  const liveRegion = document.getElementById('said');
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (total: number): void => {
    if (counter) counter.textContent = total === 0 ? words.none : words.count({ count: total });
    // Not for each message: a screen reader would never stop.
    timer ??= setTimeout(() => {
      timer = undefined;
      if (liveRegion && counter) liveRegion.textContent = counter.textContent;
    }, announceEveryMs);
  };
}

/** The items of the list, newest first. While paused, new ones are queued. */
function createItems() {
  const list = document.getElementById('messages');
  const button = document.getElementById('pause');
  let queued: HTMLElement[] = [];
  let isPaused = false;

  function insert(item: HTMLElement, isOld = false): void {
    if (isOld) list?.append(item);
    else list?.prepend(item);
    while (list && list.children.length > maxItems) list.lastElementChild?.remove();
  }

  return {
    add(item: HTMLElement, isOld = false): void {
      if (isPaused && !isOld) queued = [...queued, item].slice(-maxItems);
      else insert(item, isOld);
    },
    pause(value: boolean): void {
      isPaused = value;
      if (button) button.ariaPressed = String(value);
      if (!value) for (const item of queued.splice(0)) insert(item);
    },
    clear(): void {
      list?.replaceChildren();
      queued = [];
    },
    labelButton(): void {
      const resume =
        queued.length === 0 ? words.resume : words.resumeQueued({ count: queued.length });
      if (button) button.textContent = isPaused ? resume : words.pause;
    },
  };
}

/** The inspector's list: each message once, with notes in between. */
export function createMessageList() {
  const items = createItems();
  const showTotal = createCounter();
  const seen = new Set<string>();
  let total = 0;

  function update(): void {
    showTotal(total);
    items.labelButton();
  }

  /** Returns false if the message was shown before. */
  function remember({ channel, offset }: ShownMessage): boolean {
    const key = `${channel} ${offset}`;
    if (offset === 0) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > maxRemembered && oldest !== undefined) seen.delete(oldest);
    return true;
  }

  return {
    note(text: string, isError = false): void {
      items.add(element('li', { class: isError ? 'note error' : 'note' }, text));
    },

    /** Shows a message. Returns false if it was shown before. */
    add(message: ShownMessage): boolean {
      if (!remember(message)) return false;
      total += 1;
      items.add(createItem(message), message.isOld);
      update();
      return true;
    },

    pause(value: boolean): void {
      items.pause(value);
      update();
    },

    clear(): void {
      items.clear();
      seen.clear();
      total = 0;
      update();
    },
  };
}

export type MessageList = ReturnType<typeof createMessageList>;
