import type { Html } from '../../lib/text/html.ts';
import { Button } from '../../platform/ui/components/button.tsx';

export interface PasskeyFormParts {
  action: string;
  /** Whether a passkey is created or used. */
  kind: 'create' | 'get';
  /** The path that returns the WebAuthn options. */
  options: string;
  /** The only origin where passkeys work. */
  origin: string;
  /** Hidden values; the script fills in `credential`. */
  values: Readonly<Record<string, string>>;
  inputs?: Html;
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
  values,
  inputs,
  button,
  error,
  without,
}: PasskeyFormParts): Html {
  const data = { 'data-passkey': kind, 'data-options': options, 'data-origin': origin };
  return (
    <>
      <form method="post" action={action} class="passkey" {...data} hidden>
        {Object.entries(values).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {inputs}
        <Button label={button} icon="key" />
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
