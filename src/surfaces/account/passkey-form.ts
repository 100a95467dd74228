import { html, type Html } from '../../lib/text/html.ts';

export interface PasskeyFormParts {
  action: string;
  /** Whether a passkey is made or used. */
  kind: 'create' | 'get';
  /** The path that gives what the browser needs for it. */
  options: string;
  /** The only origin where it works. */
  origin: string;
  /** What the form carries; `credential` among it is filled by the script. */
  inputs: Html;
  button: string;
  /** What was wrong the last time. */
  error?: string | undefined;
  /** What is said where no script runs. */
  without: string;
}

/** A form that the passkey script completes and sends; hidden until the script runs. */
export function passkeyForm({
  action,
  kind,
  options,
  origin,
  inputs,
  button,
  error,
  without,
}: PasskeyFormParts): Html {
  const data = html`data-passkey="${kind}" data-options="${options}" data-origin="${origin}"`;
  return html`<form method="post" action="${action}" class="passkey" ${data} hidden>
${inputs}
<button class="second">${button}</button>
<p class="error" role="alert">${error}</p>
</form>
<noscript><p>${without}</p></noscript>`;
}
