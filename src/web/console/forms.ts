import type { DeviceFetch } from './device-proof.ts';
import { texts } from './texts/en.ts';

/** The target of a redirect: one that was followed, or one in `location`. */
function redirectOf(response: Response): string | undefined {
  if (response.redirected) return response.url;
  return response.headers.get('location') ?? undefined;
}

const parsePage = async (response: Response): Promise<Document> =>
  new DOMParser().parseFromString(await response.text(), 'text/html');

/** The message of an error page. */
const errorOf = (page: Document): string =>
  page.querySelector('main .bar-note-bad, main p')?.textContent ?? texts.forms.failed;

/** Shows a page that is the response to a form and has no address of its own. */
function showPage(page: Document, enhance: (part: ParentNode) => void): void {
  const main = page.querySelector('main');
  if (!main) {
    location.reload();
    return;
  }
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  enhance(main);
  document.title = page.title;
  main.focus();
}

/** Shows why a form in a dialog was refused: notices of the page are behind the dialog. */
function showInForm(form: HTMLFormElement, text: string): void {
  form.querySelector(':scope > [role=alert]')?.remove();
  const said = document.createElement('p');
  said.className = 'bar-note bar-note-bad';
  said.setAttribute('role', 'alert');
  said.textContent = text;
  form.prepend(said);
}

/** Shows at the fields of a form what is wrong with them, as the page of the response does. */
function markFields(form: HTMLFormElement, page: Document): void {
  for (const old of form.querySelectorAll('.field-error')) old.remove();
  for (const marked of form.querySelectorAll('[aria-invalid]')) marked.ariaInvalid = null;
  for (const answer of page.querySelectorAll('main form [aria-invalid=true]')) {
    const field = form.querySelector(`#${CSS.escape(answer.id)}`);
    const error = page.getElementById(`${answer.id}-error`);
    if (!field || !error) continue;
    field.ariaInvalid = 'true';
    field.setAttribute('aria-describedby', answer.getAttribute('aria-describedby') ?? '');
    field.after(document.adoptNode(error));
  }
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

function bodyOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams | FormData {
  const data = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name)
    data.append(submitter.name, submitter.value);
  if (form.enctype === 'multipart/form-data') return data;
  return new URLSearchParams(
    [...data].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/**
 * Submits forms by script, with a proof of the device's key and without losing input on errors.
 * `enhance` is called with a page that is the response.
 */
export function sendForms(
  deviceFetch: DeviceFetch,
  showNotice: (text: string, isError?: boolean) => void,
  enhance: (part: ParentNode) => void,
): void {
  const refuse = (form: HTMLFormElement, text: string): void =>
    form.closest('[popover]') ? showInForm(form, text) : showNotice(text, true);

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const path =
      submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.pathname;
    const response = await deviceFetch(path, { method: 'POST', body: bodyOf(form, submitter) });
    const redirect = redirectOf(response);
    if (redirect !== undefined) {
      const next = new URL(redirect, location.href);
      if (next.pathname + next.search === location.pathname + location.search) location.reload();
      else location.assign(next);
      return;
    }
    const page = await parsePage(response);
    if (response.ok) showPage(page, enhance);
    else {
      refuse(form, errorOf(page));
      markFields(form, page);
    }
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-send')) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    send(form, event.submitter)
      .catch(() => refuse(form, texts.forms.failed))
      .finally(() => {
        form.ariaBusy = null;
      });
  });
}
