import { html, type Html } from '../../lib/text/html.ts';

export interface Field {
  /** Also its id. */
  name: string;
  label: string;
  hint: string;
  /** Error message, shown beside it. */
  error: string | undefined;
  value?: string;
  /** Attributes beyond the usual ones. */
  attributes: Html;
}

/** A labelled input; screen readers read its hint and error with it. */
export function field({ name, label, hint, error, value = '', attributes }: Field): Html {
  const describedBy = error === undefined ? `${name}-hint` : `${name}-error ${name}-hint`;
  return html`<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="text" value="${value}" required autofocus
  autocapitalize="none" spellcheck="false"
  aria-describedby="${describedBy}"${error === undefined ? undefined : html` aria-invalid="true"`}
  ${attributes}>`;
}

/** Hidden inputs for values that a form passes on. */
export function hidden(values: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}

/** A form with a single button. */
export const buttonForm = (
  action: string,
  text: string,
  values: Readonly<Record<string, string>> = {},
  isSecond = true,
): Html =>
  html`<form method="post" action="${action}">${hidden(values)}<button${
    isSecond ? html` class="second"` : undefined
  }>${text}</button></form>`;
