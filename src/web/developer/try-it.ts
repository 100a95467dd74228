import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

const { tryIt } = texts;

const maxShown = 20_000;
/** The response headers that are shown. */
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
  const valuesIn = (place: string) =>
    filled
      .filter((input) => input.place === place)
      .map(({ name, field }): [string, string] => [name, field.value]);
  const query = new URLSearchParams(valuesIn('query')).toString();
  const filledPath = valuesIn('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    url: `${filledPath}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(valuesIn('header')),
  };
}

function prettyPrint(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function responseText(response: Response): Promise<string> {
  const headers = shownHeaders.flatMap((name) =>
    response.headers.has(name) ? [`${name}: ${response.headers.get(name) ?? ''}`] : [],
  );
  const text = prettyPrint(await response.text());
  const shown =
    text.length > maxShown
      ? tryIt.cut({ shown: text.slice(0, maxShown), length: text.length })
      : text;
  return `${headers.join('\n')}\n\n${shown}`;
}

/** A labelled control, as the server's form components write it. */
const labelled = (id: string, text: string, control: HTMLElement): HTMLElement =>
  element('div', { class: 'form-field' }, element('label', { for: id }, text), control);

function createInput(item: HTMLElement, id: string): { input: Input; part: HTMLElement } {
  const { in: place = 'query', name = '', required } = item.dataset;
  const field = element('input', {
    id,
    class: 'control',
    autocomplete: 'off',
    spellcheck: 'false',
    ...(required === undefined ? {} : { required: '' }),
  });
  return {
    input: { place, name, field },
    part: labelled(id, tryIt.parameter({ name, place }), field),
  };
}

/** Sends a request and shows the response in `output`. Returns its status and time as text. */
async function send(url: string, request: RequestInit, output: HTMLElement): Promise<string> {
  const startedAt = performance.now();
  const response = await fetch(url, { ...request, credentials: 'same-origin' });
  const ms = Math.round(performance.now() - startedAt);
  output.textContent = await responseText(response);
  output.parentElement?.removeAttribute('hidden');
  return `${response.status} ${response.statusText}, ${ms} ms`;
}

/**
 * Creates the form of an operation. Its requests carry the session cookie and the page's origin.
 */
function createForm(section: HTMLElement): HTMLFormElement {
  const { method = 'GET', path = '', type, body } = section.dataset;
  const fields = [...section.querySelectorAll<HTMLElement>('[data-in]')]
    .filter((item) => item.dataset.in !== 'cookie')
    .map((item, at) => createInput(item, `${section.id}-${at}`));
  const text = element(
    'textarea',
    { id: `${section.id}-body`, class: 'control', rows: '8', spellcheck: 'false' },
    body ?? '',
  );
  const state = element('p', { role: 'status', class: 'try-state' });
  const output = element('pre', { tabindex: '0', 'aria-label': tryIt.response });
  const button = element(
    'button',
    { type: 'submit', class: 'btn btn-primary' },
    tryIt.send({ method }),
  );
  const form = element(
    'form',
    { class: 'form' },
    element('p', { class: 'hint' }, tryIt.hint),
    ...fields.map(({ part }) => part),
    ...(type === undefined ? [] : [labelled(text.id, tryIt.body({ type }), text)]),
    element('div', { class: 'btn-row' }, button, state),
    element('figure', { class: 'snippet', hidden: '' }, output),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    const inputs = fields.map(({ input }) => input);
    const { url, headers } = requestOf(path, inputs);
    const content = type === undefined ? {} : { body: text.value };
    if (type !== undefined) headers['content-type'] = type;
    void send(url, { method, headers, ...content }, output)
      .catch(() => tryIt.failed)
      .then((line) => {
        state.textContent = line;
        button.disabled = false;
      });
  });
  return form;
}

function createPanel(section: HTMLElement): HTMLDetailsElement {
  const arrow = document.querySelector('.disclosure > summary > .icon');
  const summary = element('summary', {}, ...(arrow ? [arrow.cloneNode(true)] : []), tryIt.open);
  const panel = element('details', { class: 'disclosure try' }, summary);
  panel.addEventListener('toggle', () => {
    if (panel.querySelector('form') === null) panel.append(createForm(section));
  });
  return panel;
}

/** Lets signed-in users try the operations of a page. Others see no difference. */
export async function installTryIt(): Promise<void> {
  const sections = [...document.querySelectorAll<HTMLElement>('section[data-method]')];
  if (sections.length === 0) return;
  const response = await fetch('/api/auth/status', { credentials: 'same-origin' });
  const { authenticated } = (await response.json()) as { authenticated?: boolean };
  if (authenticated !== true) return;
  for (const section of sections)
    section.querySelector('.address:not(:has(~ .address))')?.after(createPanel(section));
}
