import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { accountSecurityPath } from '../../../../lib/site-paths.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { alert } from './page-parts.tsx';
import { bindingOf, type DevicePolicy, type Requirement } from '../approval/policy.ts';
import type { Device } from '../store.ts';
import { texts } from '../texts/en.ts';

/** Input for the decision whether a device can use a passkey. */
export interface PasskeyFacts {
  device: Device | undefined;
  missing: readonly Requirement[];
  policy: Pick<DevicePolicy, 'binding'>;
  /** The user has a passkey, on any device. */
  hasPasskey: boolean;
  /** The only origin where passkeys work; undefined when passkeys are unavailable. */
  passkeyOrigin: string | undefined;
}

/** `add` a passkey in the account first, `bind` the device to it, or `prove` it again. */
export type PasskeyUse = 'add' | 'bind' | 'prove';

/** Returns what the device in use can do with a passkey, or undefined. */
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

/** The explanation and the form, hidden until the script enables it: passkeys need JavaScript. */
export function passkeyPart(facts: PasskeyFacts): Html | undefined {
  const use = passkeyUseOf(facts);
  if (use === undefined) return undefined;
  const why =
    use === 'prove'
      ? texts.passkey.again
      : facts.policy.binding === 'webauthn'
        ? texts.passkey.needed
        : texts.passkey.possible;
  if (use === 'add')
    return (
      <p>
        {escapeHtml(why)}{' '}
        <a href={accountSecurityPath} safe>
          {texts.passkey.add}
        </a>
      </p>
    );
  return (
    <>
      <p id="passkey-why" safe>
        {why}
      </p>
      <form hidden data-passkey={facts.passkeyOrigin}>
        {alert}
        <Button
          label={texts.passkey.use}
          icon="key"
          kind="primary"
          attributes={{ 'aria-describedby': 'passkey-why' }}
        />
      </form>
    </>
  );
}
