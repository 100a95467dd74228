import type { Ask } from './console-proof.ts';

interface Place {
  name: string;
  hint: string;
  href: string;
}

interface Offer {
  places: Place[];
  /** Where to ask for more. */
  search: string;
}

const most = 12;

function offerOf(dialog: Element): Offer {
  const text = dialog.nextElementSibling?.textContent;
  return text ? (JSON.parse(text) as Offer) : { places: [], search: '' };
}

/** All words of what is asked for stand in the name or the hint. */
const matches =
  (asked: string) =>
  ({ name, hint }: Place): boolean =>
    asked
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${name} ${hint}`.toLowerCase().includes(word));

/** The list of places that Ctrl-K opens (WAI-ARIA's combobox with a listbox). */
export function openPalettes(ask: Ask): void {
  const dialog = document.querySelector<HTMLDialogElement>('#palette');
  const input = dialog?.querySelector<HTMLInputElement>('input');
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]');
  const button = document.querySelector<HTMLElement>('#open-palette');
  if (!dialog || !input || !list || !button) return;
  const { places, search } = offerOf(dialog);
  let shown: Place[] = [];
  let at = 0;
  let asked = 0;

  function draw(found: Place[]): void {
    shown = found.slice(0, most);
    at = Math.min(at, Math.max(0, shown.length - 1));
    list?.replaceChildren(
      ...shown.map(({ name, hint }, place) => {
        const item = document.createElement('li');
        const text = document.createElement('span');
        text.textContent = hint;
        item.append(name, text);
        item.id = `palette-${place}`;
        item.setAttribute('role', 'option');
        item.ariaSelected = String(place === at);
        item.onclick = () => go(place);
        return item;
      }),
    );
    if (shown.length > 0) input?.setAttribute('aria-activedescendant', `palette-${at}`);
    else input?.removeAttribute('aria-activedescendant');
    document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' });
  }

  function go(place: number): void {
    const found = shown[place];
    if (found) location.assign(found.href);
  }

  async function lookUp(): Promise<void> {
    const text = input?.value.trim() ?? '';
    const known = places.filter(matches(text));
    at = 0;
    draw(known);
    const turn = (asked += 1);
    if (text.length < 2) return;
    const answer = await ask(search, {
      method: 'POST',
      body: new URLSearchParams({ q: text }),
      accept: 'application/json',
    });
    if (!answer.ok || turn !== asked) return;
    const { data } = (await answer.json()) as { data: Place[] };
    draw([
      ...known,
      ...data.filter(({ href }: Place) => known.every((each) => each.href !== href)),
    ]);
  }

  const keys: Record<string, () => void> = {
    ArrowDown: () => {
      at = (at + 1) % Math.max(1, shown.length);
      draw(shown);
    },
    ArrowUp: () => {
      at = (at + shown.length - 1) % Math.max(1, shown.length);
      draw(shown);
    },
    Enter: () => go(at),
  };

  function open(): void {
    if (dialog?.open || !input) return;
    input.value = '';
    at = 0;
    draw(places);
    dialog?.showModal();
    input.focus();
  }

  input.addEventListener('input', () => void lookUp().catch(() => undefined));
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  button.hidden = false;
  button.onclick = open;
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
}
