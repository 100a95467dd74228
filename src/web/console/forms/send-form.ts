import type { DeviceFetch } from '../device-proof.ts';
import { drawerOf, drawerPath, fillDrawer } from './drawer.ts';
import { asksForSignIn, createStepUp, isConfirming, signWithPasskey } from './step-up.ts';
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
function showPage(
  form: HTMLFormElement,
  page: Document,
  enhance: (part: ParentNode) => void,
): void {
  const drawer = drawerOf(form);
  if (drawer) {
    if (!isConfirming(form)) drawer.dataset.done = '';
    if (fillDrawer(drawer, page, { enhance })) return;
  }
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

/** Shows why a form over the page was refused: notices of the page are behind it. */
function showInForm(form: HTMLFormElement, text: string): void {
  const said = document.createElement('p');
  said.className = 'bar-note bar-note-bad';
  said.setAttribute('role', 'alert');
  said.textContent = text;
  form.prepend(said);
  said.scrollIntoView({ block: 'nearest' });
}

/** Removes what is said of an earlier try. */
function clearProblems(form: HTMLFormElement): void {
  form.querySelector(':scope > [role=alert]')?.remove();
  for (const old of form.querySelectorAll('.field-error')) old.remove();
  for (const marked of form.querySelectorAll('[aria-invalid]')) marked.ariaInvalid = null;
}

/**
 * Shows at the fields of a form what is wrong with them, as the page of the response does, and
 * focuses the first one. Returns false if it is about no field.
 */
function markFields(form: HTMLFormElement, page: Document): boolean {
  for (const answer of page.querySelectorAll('main form [aria-invalid=true]')) {
    const field = form.querySelector(`#${CSS.escape(answer.id)}`);
    const error = page.getElementById(`${answer.id}-error`);
    if (!field || !error) continue;
    field.ariaInvalid = 'true';
    field.setAttribute('aria-describedby', answer.getAttribute('aria-describedby') ?? '');
    field.after(document.adoptNode(error));
    field.closest('details')?.setAttribute('open', '');
  }
  const first = form.querySelector<HTMLElement>('[aria-invalid=true]');
  first?.focus();
  first?.scrollIntoView({ block: 'center' });
  return first !== null;
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
 * Creates what submits forms by script, with a proof of the device's key and without losing input
 * on errors. `enhance` is called with a page that is the response.
 */
export function createFormSender(
  deviceFetch: DeviceFetch,
  showNotice: (text: string, isError?: boolean) => void,
  enhance: (part: ParentNode) => void,
): (form: HTMLFormElement, submitter: HTMLElement | null) => void {
  const refuse = (form: HTMLFormElement, text: string): void =>
    form.closest('[popover], dialog') ? showInForm(form, text) : showNotice(text, true);

  const stepUp = createStepUp(deviceFetch, { enhance });

  async function post(form: HTMLFormElement, submitter: HTMLElement | null): Promise<Response> {
    const referrer = drawerPath(form);
    const path =
      submitter?.getAttribute('formaction') ??
      form.getAttribute('action') ??
      (referrer ?? location.pathname).replace(/[?#].*/, '');
    return deviceFetch(path, { method: 'POST', body: bodyOf(form, submitter), referrer });
  }

  /** Follows the redirect of a form that was accepted, or that needs a more recent sign-in. */
  async function follow(
    form: HTMLFormElement,
    submitter: HTMLElement | null,
    next: URL,
  ): Promise<void> {
    if (asksForSignIn(next)) {
      const answer = await stepUp.ask(form);
      if (answer === 'confirmed') await send(form, submitter);
      if (answer !== 'unavailable') return;
    } else if (isConfirming(form)) {
      stepUp.accept();
      return;
    }
    if (next.pathname + next.search === location.pathname + location.search) location.reload();
    else location.assign(next);
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    clearProblems(form);
    const problem = await signWithPasskey(form);
    if (problem !== undefined) {
      refuse(form, problem);
      return;
    }
    const response = await post(form, submitter);
    const redirect = redirectOf(response);
    if (redirect !== undefined) {
      await follow(form, submitter, new URL(redirect, location.href));
      return;
    }
    const page = await parsePage(response);
    // A passkey signs a challenge once: the page of the response has another one.
    if (response.ok || form.dataset.assert !== undefined) showPage(form, page, enhance);
    else {
      // The field that is marked is what is in view in the end.
      const isOver = drawerOf(form) !== null;
      if (!isOver) refuse(form, errorOf(page));
      if (!markFields(form, page) && isOver) refuse(form, errorOf(page));
    }
  }

  return (form, submitter) => {
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    send(form, submitter)
      .catch(() => refuse(form, texts.forms.failed))
      .finally(() => {
        form.ariaBusy = null;
      });
  };
}
