import { element } from '../../page/elements.ts';

type Send = (form: HTMLFormElement, submitter: HTMLElement | null) => void;

/** Sends a form as the browser does, with what its button adds. */
function sendPlainly(form: HTMLFormElement, submitter: HTMLElement | null): void {
  if (submitter instanceof HTMLButtonElement) {
    const { name, value } = submitter;
    if (name !== '') form.append(element('input', { type: 'hidden', name, value }));
    if (submitter.hasAttribute('formaction')) form.action = submitter.formAction;
  }
  form.submit();
}

/**
 * Sends forms with `data-send` by what `load` brings. Where that cannot be loaded, such as after a
 * new version of the service, they are sent as without a script.
 */
export function installSentForms(load: () => Promise<Send>): void {
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-send')) return;
    // A download, or a page that asks first.
    if (submitter?.getAttribute('formmethod') === 'get') return;
    event.preventDefault();
    load().then(
      (send) => send(form, submitter),
      () => sendPlainly(form, submitter),
    );
  });
}
