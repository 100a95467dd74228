// Creates or uses a passkey (WebAuthn Level 3), and sends it with the form.
import { installForm } from '../page/busy-form.ts';
import { localizeTimes } from '../page/local-times.ts';
import { knowsPasskeys, passkeyErrors, Refusal, requireOrigin } from '../page/passkey-support.ts';
import { texts } from './texts/en.ts';

interface Problem {
  code: string;
  detail: string;
}

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};
const sentences: Partial<Record<string, string>> = {
  ...passkeyErrors,
  InvalidStateError: texts.exists,
  SecurityError: texts.wrongAddress,
};

function requireSupport({ origin }: DOMStringMap): void {
  requireOrigin(origin);
  if (!knowsPasskeys('parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON'))
    throw new Refusal(texts.unsupported);
}

const inputOf = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`);

/** Asks the server for the options; undefined when the person has to sign in again first. */
async function optionsOf<Options>(form: HTMLFormElement): Promise<Options | undefined> {
  const token = inputOf(form, 'mfa_token');
  const response = await fetch(form.dataset.options ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(token ? { mfa_token: token.value } : {}),
  });
  if (response.ok) return (await response.json()) as Options;
  const { code, detail } = (await response.json()) as Problem;
  if (response.status !== 401) throw new Refusal(detail);
  location.assign(`/login?next=/account/security${reasons[code] ?? ''}`);
  return undefined;
}

async function credentialFor(form: HTMLFormElement): Promise<Credential | null> {
  requireSupport(form.dataset);
  if (form.dataset.passkey === 'create') {
    const options = await optionsOf<PublicKeyCredentialCreationOptionsJSON>(form);
    if (options === undefined) return null;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const options = await optionsOf<PublicKeyCredentialRequestOptionsJSON>(form);
  if (options === undefined) return null;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

const messageOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message;
  const name = error instanceof Error ? error.name : '';
  return sentences[name] ?? texts.failed;
};

async function complete(form: HTMLFormElement): Promise<void> {
  const message = form.querySelector('[role=alert]');
  const say = (text: string) => {
    if (message) message.textContent = text;
  };
  say('');
  try {
    const credential = await credentialFor(form);
    const input = inputOf(form, 'credential');
    if (!credential || !input) return;
    input.value = JSON.stringify(credential);
    form.submit();
  } catch (error) {
    say(messageOf(error));
  }
}

localizeTimes(document);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]'))
  installForm(form, () => complete(form));
