import { texts } from './texts/en.ts';

// The form that websites embed:
// <div data-waitlist></div><script defer src="https://…/waitlist.js"></script>

type Attributes = Record<string, string>;

function make(name: string, attributes: Attributes, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

const field = (label: string, attributes: Attributes): HTMLElement =>
  make('p', {}, make('label', {}, `${label} `, make('input', attributes)));

function sentence(status: number): string {
  if (status === 200) return texts.sent;
  if (status === 422) return texts.invalid;
  return status === 429 ? texts.busy : texts.failed;
}

function install(host: Element, origin: string): void {
  const said = make('p', { role: 'status' });
  const privacy = make('a', { href: `${origin}/privacy` }, texts.privacy);
  const consent = { type: 'checkbox', name: 'consent', required: '' };
  const form = make(
    'form',
    { class: 'waitlist' },
    field(texts.email, { type: 'email', name: 'email', required: '', autocomplete: 'email' }),
    field(texts.name, { name: 'name', maxlength: '200', autocomplete: 'name' }),
    make(
      'p',
      {},
      make('label', {}, make('input', consent), ` ${texts.consentBefore}`, privacy, '.'),
    ),
    make('p', {}, make('button', {}, texts.submit)),
    said,
  );

  async function send(): Promise<void> {
    const [email, name, agreed] = [...form.querySelectorAll('input')];
    const code = new URLSearchParams(location.search).get('ref');
    const response = await fetch(`${origin}/api/v2/waitlist`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: email?.value,
        consent: agreed?.checked,
        ...(name?.value.trim() && { name: name.value }),
        ...(code && { referral_code: code }),
      }),
    });
    said.textContent = sentence(response.status);
    if (response.ok) form.replaceChildren(said);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send().catch(() => {
      said.textContent = texts.failed;
    });
  });
  host.append(form);
}

const script = document.currentScript as HTMLScriptElement | null;
const { origin } = new URL(script?.src ?? location.href);
for (const host of document.querySelectorAll('[data-waitlist]')) install(host, origin);
