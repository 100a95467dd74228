import { html, type Html } from '../../../lib/text/html.ts';
import { alert } from './page-parts.ts';
import { bindingOf, type DevicePolicy, type Requirement } from '../clearance/policy.ts';
import type { Device } from '../store.ts';

/** What decides whether a device can use a passkey of its own. */
export interface PasskeyFacts {
  device: Device | undefined;
  missing: readonly Requirement[];
  policy: Pick<DevicePolicy, 'binding'>;
  /** The person has one, wherever it lives. */
  hasPasskey: boolean;
  /** The only origin where they work; undefined when there can be none. */
  passkeyOrigin: string | undefined;
}

/** `add` one in the account first, `bind` the device to it, or `prove` it again. */
export type PasskeyUse = 'add' | 'bind' | 'prove';

const one =
  'one that can not leave the device (no synced one), ' +
  'and that verifies you by finger, face or PIN.';
const sentences = {
  needed: `What admins do needs a passkey of this device too: ${one}`,
  possible: `You can bind this device more strongly, to a passkey: ${one}`,
  again:
    "What admins do needs this device's passkey again: it counts for twelve hours, " +
    'in the session that has used it. It verifies you by finger, face or PIN.',
};

/** What the device that shows the page can do with a passkey; undefined when nothing. */
export function passkeyUseOf({
  device,
  missing,
  policy,
  hasPasskey,
  passkeyOrigin,
}: PasskeyFacts): PasskeyUse | undefined {
  if (
    device === undefined ||
    passkeyOrigin === undefined ||
    (device.state !== 'cleared' && device.state !== 'pending')
  )
    return undefined;
  if (missing.includes('passkey_proof')) return 'prove';
  if (bindingOf(device) !== 'key') return undefined;
  if (hasPasskey) return 'bind';
  return policy.binding === 'webauthn' ? 'add' : undefined;
}

/** Why, and the button. The script shows it: without one there is no way to use a passkey. */
export function passkeyPart(facts: PasskeyFacts): Html | undefined {
  const use = passkeyUseOf(facts);
  if (use === undefined) return undefined;
  const why =
    use === 'prove'
      ? sentences.again
      : facts.policy.binding === 'webauthn'
        ? sentences.needed
        : sentences.possible;
  if (use === 'add') return html`<p>${why} <a href="/account">Add one in your account.</a></p>\n`;
  return html`<p id="passkey-why">${why}</p>
<form hidden data-passkey="${facts.passkeyOrigin}">${alert}
<button aria-describedby="passkey-why">Use this device's passkey</button></form>\n`;
}
