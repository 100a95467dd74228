import { sha256Hex } from '../../lib/secrets/secrets.ts';

/** The script that creates or uses a passkey (WebAuthn Level 3) and submits the form. */
export const passkeyScript = `const reasons = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};
const sentences = {
  NotAllowedError: 'This was cancelled, or took too long. Nothing was changed. Try again.',
  AbortError: 'This was cancelled. Nothing was changed. Try again.',
  InvalidStateError: 'This device already holds a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
};

class Refusal extends Error {}

function requireSupport({ origin }) {
  if (location.origin !== origin)
    throw new Refusal('Passkeys work only at ' + origin + '. Open this service there.');
  const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON, prototype } =
    globalThis.PublicKeyCredential ?? {};
  if (!parseCreationOptionsFromJSON || !parseRequestOptionsFromJSON || !prototype.toJSON) {
    throw new Refusal('This browser cannot use passkeys here. Use a newer one, or a code.');
  }
}

async function optionsOf(form) {
  const token = form.elements.mfa_token;
  const body = JSON.stringify(token ? { mfa_token: token.value } : {});
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(form.dataset.options, { method: 'POST', headers, body });
  const content = await answer.json();
  if (answer.ok) return content;
  if (answer.status === 401) {
    location.assign('/login?next=/account' + (reasons[content.code] ?? ''));
    return undefined;
  }
  throw new Refusal(content.detail);
}

async function credentialFor(form) {
  requireSupport(form.dataset);
  const options = await optionsOf(form);
  if (options === undefined) return undefined;
  if (form.dataset.passkey === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function complete(form, message) {
  message.textContent = '';
  try {
    const credential = await credentialFor(form);
    if (!credential) return;
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  } catch (error) {
    const general = sentences[error.name] ?? 'This did not work. Try again.';
    message.textContent = error instanceof Refusal ? error.message : general;
  }
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const button = form.querySelector('button');
  const message = form.querySelector('[role=alert]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    await complete(form, message);
    button.ariaDisabled = null;
  });
  form.hidden = false;
}
`;

/** Path of the script. It has a hash of the content, so that browsers may cache it for good. */
export const passkeyScriptPath = `/assets/passkeys.${sha256Hex(passkeyScript).slice(0, 12)}.js`;
