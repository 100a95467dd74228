import { element } from '../page/elements.ts';

const maxShown = 20_000;
/** The headers of an answer that are shown. */
const shownHeaders = [
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

/** The address and headers of a request; empty fields are left out. */
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
  const filledPath = of('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    url: `${filledPath}${query === '' ? '' : `?${query}`}`,
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
  const headers = shownHeaders.flatMap((name) =>
    answer.headers.has(name) ? [`${name}: ${answer.headers.get(name) ?? ''}`] : [],
  );
  const text = pretty(await answer.text());
  const shown =
    text.length > maxShown ? `${text.slice(0, maxShown)}\n… (${text.length} characters)` : text;
  return `${headers.join('\n')}\n\n${shown}`;
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

/** Sends the request, shows the answer in `output`, and gives a line with its status and time. */
async function send(url: string, request: RequestInit, output: HTMLElement): Promise<string> {
  const began = performance.now();
  const answer = await fetch(url, { ...request, credentials: 'same-origin' });
  const ms = Math.round(performance.now() - began);
  output.textContent = await answerText(answer);
  output.hidden = false;
  return `${answer.status} ${answer.statusText}, ${ms} ms`;
}

/** The form of one operation. It sends the session cookie and the origin, as any page here does. */
function formOf(section: HTMLElement): HTMLFormElement {
  const { method = 'GET', path = '', type, body } = section.dataset;
  const fields = [...section.querySelectorAll<HTMLElement>('[data-in]')]
    .filter((item) => item.dataset.in !== 'cookie')
    .map((item, at) => inputOf(item, `${section.id}-${at}`));
  const text = element('textarea', { id: `${section.id}-body`, spellcheck: 'false' }, body ?? '');
  const state = element('p', { role: 'status', class: 'status' });
  const output = element('pre', { tabindex: '0', hidden: '', 'aria-label': 'Answer' });
  const button = element('button', { type: 'submit' }, `Send ${method}`);
  const form = element(
    'form',
    {},
    element('p', { class: 'hint' }, 'It is sent to this server, as you.'),
    ...fields.flatMap(({ input, label }) => [label, input.field]),
    ...(type === undefined ? [] : [element('label', { for: text.id }, `body (${type})`), text]),
    button,
    state,
    output,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    const inputs = fields.map(({ input }) => input);
    const { url, headers } = requestOf(path, inputs);
    const content = type === undefined ? {} : { body: text.value };
    if (type !== undefined) headers['content-type'] = type;
    void send(url, { method, headers, ...content }, output)
      .catch(() => 'No answer came.')
      .then((line) => {
        state.textContent = line;
        button.disabled = false;
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

/** Lets whoever is signed in try the operations of a page. Others see nothing of it. */
export async function installTryIt(): Promise<void> {
  const sections = [...document.querySelectorAll<HTMLElement>('section[data-method]')];
  if (sections.length === 0) return;
  const answer = await fetch('/api/auth/status', { credentials: 'same-origin' });
  const { authenticated } = (await answer.json()) as { authenticated?: boolean };
  if (authenticated !== true) return;
  for (const section of sections) section.querySelector('.address')?.after(panelOf(section));
}
