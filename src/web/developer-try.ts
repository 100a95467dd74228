import { element } from './developer-elements.ts';

const mostShown = 20_000;
const toldHeaders = [
  'content-type',
  'x-request-id',
  'location',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];

interface Input {
  place: string;
  name: string;
  field: HTMLInputElement;
}

/** The address and headers that the fields make; empty ones are left out. */
function requestOf(
  path: string,
  inputs: readonly Input[],
): { url: string; headers: Record<string, string> } {
  const filled = inputs.filter(({ field }) => field.value !== '');
  const of = (place: string) =>
    filled
      .filter((input) => input.place === place)
      .map(({ name, field }): [string, string] => [name, field.value]);
  const query = new URLSearchParams(of('query')).toString();
  const way = of('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    url: `${way}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(of('header')),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function answerText(answer: Response): Promise<string> {
  const headers = toldHeaders.flatMap((name) =>
    answer.headers.has(name) ? [`${name}: ${answer.headers.get(name) ?? ''}`] : [],
  );
  const text = pretty(await answer.text());
  return `${headers.join('\n')}\n\n${text.length > mostShown ? `${text.slice(0, mostShown)}\n… (${text.length} characters)` : text}`;
}

function inputOf(item: HTMLElement, id: string): { input: Input; label: HTMLLabelElement } {
  const { in: place = 'query', name = '', required } = item.dataset;
  const field = element('input', {
    id,
    autocomplete: 'off',
    ...(required === undefined ? {} : { required: '' }),
  });
  return {
    input: { place, name, field },
    label: element('label', { for: id }, `${name} (${place})`),
  };
}

/**
 * The form of one operation. A page of this origin sends what it sends: the session cookie goes
 * with it, and so does the origin that is asked for.
 */
function formOf(section: HTMLElement): HTMLFormElement {
  const { method = 'GET', path = '', type, body } = section.dataset;
  const fields = [...section.querySelectorAll<HTMLElement>('[data-in]')]
    .filter((item) => item.dataset.in !== 'cookie')
    .map((item, at) => inputOf(item, `${section.id}-${at}`));
  const text = element('textarea', { id: `${section.id}-body`, spellcheck: 'false' }, body ?? '');
  const state = element('p', { role: 'status', class: 'status' });
  const output = element('pre', { tabindex: '0', hidden: '', 'aria-label': 'Answer' });
  const send = element('button', { type: 'submit' }, `Send ${method}`);
  const form = element(
    'form',
    {},
    element('p', { class: 'hint' }, 'It is sent to this server, as you.'),
    ...fields.flatMap(({ input, label }) => [label, input.field]),
    ...(type === undefined ? [] : [element('label', { for: text.id }, `body (${type})`), text]),
    send,
    state,
    output,
  );

  async function ask(): Promise<void> {
    const { url, headers } = requestOf(
      path,
      fields.map(({ input }) => input),
    );
    const began = performance.now();
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      credentials: 'same-origin',
      ...(type === undefined ? {} : { body: text.value }),
    });
    state.textContent = `${answer.status} ${answer.statusText}, ${Math.round(performance.now() - began)} ms`;
    output.textContent = await answerText(answer);
    output.hidden = false;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    ask()
      .catch(() => {
        state.textContent = 'No answer came.';
      })
      .finally(() => {
        send.disabled = false;
      });
  });
  return form;
}

function panelOf(section: HTMLElement): HTMLDetailsElement {
  const panel = element('details', { class: 'try' }, element('summary', {}, 'Try it'));
  panel.addEventListener('toggle', () => {
    if (panel.querySelector('form') === null) panel.append(formOf(section));
  });
  return panel;
}

/** Whoever is signed in may try the operations of a page. Others see nothing of it. */
export async function installTrying(): Promise<void> {
  const sections = [...document.querySelectorAll<HTMLElement>('section[data-method]')];
  if (sections.length === 0) return;
  const answer = await fetch('/api/auth/status', { credentials: 'same-origin' });
  const { authenticated } = (await answer.json()) as { authenticated?: boolean };
  if (authenticated !== true) return;
  for (const section of sections) section.querySelector('.address')?.after(panelOf(section));
}
