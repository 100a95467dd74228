const most = 200;
const remembered = 2000;
const longest = 20_000;
const sayEveryMs = 5000;
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export interface Heard {
  channel: string;
  data: unknown;
  offset: number;
  /** It was kept, and said before. */
  isOld: boolean;
}

const memberOf = (data: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

/** The instant that the message says it is of; else this one. */
function timeOf({ data, isOld }: Heard): HTMLElement {
  const said = isOld ? Date.parse(memberOf(data, 'time') ?? '') : Date.now();
  if (Number.isNaN(said)) return element('span', 'kept');
  const time = document.createElement('time');
  time.dateTime = new Date(said).toISOString();
  time.textContent = clock.format(said);
  time.title = time.dateTime;
  return time;
}

function itemOf(heard: Heard): HTMLElement {
  const item = document.createElement('li');
  const text = heard.data === undefined ? '' : JSON.stringify(heard.data, undefined, 2);
  const json = element(
    'pre',
    text.length > longest
      ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters`
      : text,
  );
  // Long ones scroll by themselves, also with the keyboard.
  json.tabIndex = 0;
  item.append(
    timeOf(heard),
    element('code', heard.channel),
    element('span', memberOf(heard.data, 'type') ?? 'message', 'badge info'),
    ...(heard.isOld ? [element('span', 'kept', 'badge quiet')] : []),
    json,
  );
  if (!heard.isOld) item.classList.add('new');
  return item;
}

/** The messages of the inspector, the newest first, 200 at most. Paused, it holds what comes. */
export function createMessageList() {
  const list = document.getElementById('messages');
  const shown = document.getElementById('shown');
  const button = document.getElementById('pause');
  const said = document.getElementById('said');
  const seen = new Set<string>();
  let held: HTMLElement[] = [];
  let isPaused = false;
  let total = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function count(): void {
    if (shown)
      shown.textContent =
        total === 0
          ? 'No messages yet.'
          : `${total} ${total === 1 ? 'message' : 'messages'} since this page was opened.`;
    if (button)
      button.textContent = isPaused
        ? `Go on${held.length === 0 ? '' : ` (${held.length} new)`}`
        : 'Pause';
    // Not each message by itself: a screen reader would never come to an end.
    timer ??= setTimeout(() => {
      timer = undefined;
      if (said && shown) said.textContent = shown.textContent;
    }, sayEveryMs);
  }

  function put(item: HTMLElement, isOld = false): void {
    if (isOld) list?.append(item);
    else list?.prepend(item);
    while (list && list.children.length > most) list.lastElementChild?.remove();
  }

  function remember(key: string): void {
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > remembered && oldest !== undefined) seen.delete(oldest);
  }

  function note(text: string, isError = false): void {
    const item = element('li', text, isError ? 'note error' : 'note');
    if (isPaused) held = [...held, item].slice(-most);
    else put(item);
  }

  return {
    note,

    /** Shows a message. False when it was shown before. */
    add(heard: Heard): boolean {
      const key = `${heard.channel} ${heard.offset}`;
      if (heard.offset > 0 && seen.has(key)) return false;
      if (heard.offset > 0) remember(key);
      total += 1;
      const item = itemOf(heard);
      if (isPaused && !heard.isOld) held = [...held, item].slice(-most);
      else put(item, heard.isOld);
      count();
      return true;
    },

    pause(value: boolean): void {
      isPaused = value;
      if (button) button.ariaPressed = String(value);
      if (!value) for (const item of held.splice(0)) put(item);
      count();
    },

    clear(): void {
      list?.replaceChildren();
      held = [];
      seen.clear();
      total = 0;
      count();
    },
  };
}
