import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import type { Device } from '../store.ts';
import type { DevicesView, FormError } from './device-view.ts';
import {
  alert,
  countryOf,
  describedBy,
  facts,
  notice,
  postForm,
  programOf,
  scriptFacts,
  textField,
  time,
} from './page-parts.tsx';
import { removeForm, thisDevice } from './this-device.tsx';

const notices: Partial<Record<string, string>> = {
  restored: "Welcome back. Copies of this device's cookie are worth nothing now.",
  suspended: 'The device is suspended.',
  removed: 'The device is removed, and its sessions have ended.',
  others_removed: 'All other devices are removed, and their sessions have ended.',
  renamed: 'The device has its new name.',
};

const stateTexts: Readonly<Record<Device['state'], string>> = {
  pending: 'Waits for a decision',
  cleared: 'Cleared',
  expired: 'Not cleared any more',
  suspended: 'Suspended',
  denied: 'Refused',
  revoked: 'Removed',
};

function renameForm({ id, name }: Device, formError: FormError | undefined, about?: string): Html {
  const error = formError?.deviceId === id ? formError.text : undefined;
  const input = textField({
    id: `new-name-${id}`,
    name: 'name',
    label: 'New name',
    value: name,
    maxLength: 64,
    error,
    attributes: { required: true },
  });
  const form = postForm({
    action: '/account/devices/rename',
    values: { id },
    inputs: input,
    button: 'Rename',
    isSecond: true,
  });
  const open = error === undefined ? undefined : { open: true };
  return (
    <details {...open}>
      <summary {...describedBy(about)}>Rename</summary>
      {form}
    </details>
  );
}

/** Rename, and remove in the states whose own section has no such button. */
function managementForms({ device, error }: DevicesView): Html | undefined {
  if (device === undefined || device.state === 'revoked') return undefined;
  const isOffered = device.state === 'cleared' || device.state === 'expired';
  return (
    <>
      {renameForm(device, error)}
      {isOffered ? removeForm(device.id, 'Remove this device and sign out') : undefined}
    </>
  );
}

function otherDevice(device: Device, error: FormError | undefined): Html {
  const { id, country, address } = device;
  const about = `device-${id}`;
  const place =
    country === null && address === null
      ? 'unknown'
      : [country === null ? [] : [countryOf(country)], address ?? []].flat().join(', ');
  const suspend = postForm({
    action: '/account/devices/suspend',
    values: { id },
    button: 'Suspend',
    about,
    isSecond: true,
  });
  return (
    <li>
      <h3 id={about} safe>
        {device.name}
      </h3>
      {facts([
        ['State', escapeHtml(stateTexts[device.state])],
        ['Browser', escapeHtml(programOf(device))],
        ['Seen from', escapeHtml(place)],
        ['Last seen', time(device.last_seen)],
      ])}
      {renameForm(device, error, about)}
      <div class="row">
        {device.state === 'cleared' ? suspend : undefined}
        {removeForm(id, 'Remove', about)}
      </div>
    </li>
  );
}

function otherDevices({ others, error }: DevicesView): Html {
  if (others.length === 0) return <p>You have no other device.</p>;
  const removeOthers = postForm({
    action: '/account/devices/remove-others',
    button: 'Remove all other devices',
    isSecond: true,
  });
  return (
    <>
      <ul class="sessions">{others.map((each) => otherDevice(each, error))}</ul>
      {others.length > 1 ? removeOthers : undefined}
    </>
  );
}

/** A link to the page the user came for, or else to the console if the user may open it. */
function nextStep({ next, missing, mayEnterConsole }: DevicesView): Html | undefined {
  if (missing.length > 0)
    return next === undefined
      ? undefined
      : notice('What you wanted to open needs a cleared device.');
  if (next !== undefined)
    return (
      <p class="notice" role="status">
        This device may do what you wanted. <a href={next}>Go on</a>
      </p>
    );
  return mayEnterConsole ? (
    <p class="notice">
      This device may enter the console. <a href={consolePath}>Open the console</a>
    </p>
  ) : undefined;
}

/** The page of the user's devices. `done` is the action to confirm, a key of `notices`. */
export function devicesPage(view: DevicesView, done: string | undefined): Page {
  const { device, next, nonce, now, isAdmin } = view;
  const isConfirmed = done !== undefined && (done !== 'restored' || device?.state === 'cleared');
  const body = (
    <>
      {scriptFacts({ device, next, nonce, now })}
      {notice(isConfirmed ? notices[done] : undefined)}
      {nextStep(view)}
      {alert}
      <h2>This device</h2>
      {thisDevice(view)}
      {managementForms(view)}
      <h2>Other devices</h2>
      {otherDevices(view)}
      <p>
        <a href="/account">Back to your account</a>
      </p>
      {isAdmin ? (
        <p>
          <a href="/account/devices/requests">Requests for clearance</a>
        </p>
      ) : undefined}
    </>
  );
  return {
    title: 'Your devices',
    isWide: true,
    isError: view.error !== undefined,
    script: 'devices.js',
    body,
  };
}
