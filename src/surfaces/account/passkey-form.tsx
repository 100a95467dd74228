import { type Html } from '../../lib/text/html.ts';

export interface PasskeyFormParts {
  action: string;
  /** Whether a passkey is created or used. */
  kind: 'create' | 'get';
  /** The path that returns the WebAuthn options. */
  options: string;
  /** The only origin where passkeys work. */
  origin: string;
  /** The form's inputs; the script fills in `credential`. */
  inputs: Html;
  button: string;
  /** Error of the previous attempt. */
  error?: string | undefined;
  /** Text for browsers without JavaScript. */
  without: string;
}

/** A form that the passkey script fills in and submits; hidden until the script runs. */
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
  const data = { 'data-passkey': kind, 'data-options': options, 'data-origin': origin };
  return (
    <>
      <form method="post" action={action} class="passkey" {...data} hidden>
        {inputs}
        <button class="second" safe>
          {button}
        </button>
        <p class="error" role="alert" safe>
          {error}
        </p>
      </form>
      <noscript>
        <p safe>{without}</p>
      </noscript>
    </>
  );
}
