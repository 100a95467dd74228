import { html, type Html } from '../../../lib/text/html.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Page } from '../../../platform/ui/pages.ts';
import { deviceScriptPath } from './device-script.ts';
import {
  alert,
  bindingTexts,
  countryOf,
  facts,
  notice,
  postForm,
  programOf,
  scriptFacts,
  textField,
  time,
} from './page-parts.ts';
import { type PasskeyFacts, passkeyPart, passkeyUseOf } from './page-passkey.ts';
import {
  bindingOf,
  type DevicePolicy,
  deviceTimes,
  type Requirement,
} from '../clearance/policy.ts';
import type { ClearanceRequest } from '../clearance/request-store.ts';
import type { Device } from '../store.ts';
import { toReasons } from '../views.ts';

/** What was wrong with a form about a device. */
export interface FormError {
  deviceId: string;
  text: string;
}

export interface DevicesView extends PasskeyFacts {
  /** The one that shows the page; undefined when it never asked. */
  device: Device | undefined;
  /** What it has asked, while that is open. */
  request: ClearanceRequest | undefined;
  /** The person's other devices. */
  others: readonly Device[];
  /** Where the person was going: a path of ours. */
  next: string | undefined;
  /** What is missing before this device could do what needs a cleared one. */
  missing: readonly Requirement[];
  policy: DevicePolicy;
  hasSecondFactor: boolean;
  isAdmin: boolean;
  /** Whether the person's roles open the console. */
  mayEnterConsole: boolean;
  /** What admins are called who could help; undefined for who need not know. */
  admins: readonly string[] | undefined;
  /** Browser and system. */
  client: string;
  trouble: FormError | undefined;
  /** For the next proof. */
  nonce: string;
  /** Unix ms. */
  now: number;
}

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

const state = (text: string): Html => html`<p id="device-state" class="state">${text}</p>`;

function askForm(
  { client, next }: DevicesView,
  { isNew, button }: { isNew: boolean; button: string },
): Html {
  const name = textField({
    id: 'name',
    name: 'name',
    label: 'Name of this device',
    hint: `To recognise it by. Left empty, it is called ${client}.`,
    most: 64,
  });
  const reason = textField({
    id: 'reason',
    name: 'reason',
    label: 'Reason',
    hint: 'Whoever decides reads it. May be left empty.',
    most: 280,
  });
  return postForm({
    action: '/account/devices/ask',
    values: { next },
    inputs: html`${isNew ? name : undefined}${reason}`,
    button,
    script: 'ask',
  });
}

const removeForm = (id: string, button: string, about?: string): Html =>
  postForm({
    action: '/account/devices/remove',
    values: { id },
    button,
    isSecond: true,
    ...(about === undefined ? {} : { about }),
  });

function whoHelps({ admins }: DevicesView): Html | undefined {
  if (admins === undefined) return undefined;
  if (admins.length === 0)
    return html`<p>No other admin has a cleared device yet. <a href="/developer/guides/device-security">How the first one comes about.</a></p>\n`;
  return html`<p>Who can help: <strong>${admins.join(', ')}</strong>.</p>\n`;
}

function unknownPart(view: DevicesView): Html {
  return html`${state(view.policy.binding === 'none' ? 'This device is not known. Nothing here needs a cleared one at present.' : 'This device is not cleared.')}
<p>What admins do needs a cleared device. Ask for clearance: you get a number, and an admin who knows you clears the device with it.</p>
${whoHelps(view)}${askForm(view, { isNew: true, button: 'Ask for clearance' })}`;
}

function expiredPart(view: DevicesView): Html {
  return html`${state('The clearance of this device has ended, or nobody has decided on it in time.')}
${whoHelps(view)}${askForm(view, { isNew: false, button: 'Ask again' })}`;
}

function selfClearing({ policy, hasSecondFactor, next }: DevicesView): Html | undefined {
  if (policy.clearance !== 'self_step_up') return undefined;
  if (!hasSecondFactor)
    return html`<p>With a second factor you could clear it yourself. <a href="/account">Set one up in your account.</a></p>`;
  return html`<p>Or clear it yourself, right after signing in with your second factor.</p>
${postForm({ action: '/account/devices/ask', values: { reason: '', second_factor: '1', next }, button: 'Clear it with my second factor', isSecond: true, script: 'proof' })}`;
}

function pendingPart(view: DevicesView, device: Device): Html {
  const { request } = view;
  const number =
    request === undefined
      ? undefined
      : html`<p>Tell this number to an admin, in person or by phone. Do not send it to anybody who asks you for it.</p>
<p class="number">${request.number}</p>
<p>Admins decide at <strong>/account/devices/requests</strong>, or in the console under Devices. The request ends ${time(request.expires_at)}.</p>
${whoHelps(view)}`;
  const bound =
    device.passkey_id === null
      ? undefined
      : html`<p>It is bound by ${bindingTexts[bindingOf(device)]}.</p>\n`;
  return html`${state('This device waits for a decision.')}
${number}
${bound}${passkeyPart(view)}<noscript><p>Load this page again to see whether somebody has decided.</p></noscript>
${selfClearing(view)}
${removeForm(device.id, 'Withdraw the request and sign out')}`;
}

const missingTexts: Partial<Record<Requirement, string>> = {
  stronger_binding:
    'It is bound too weakly for what admins do here. Remove it and ask again, with JavaScript switched on.',
};

function endOf({ cleared_at: clearedAt, expires_at: end }: Device): Html {
  if (end === null) return html`never`;
  const last = clearedAt === null ? end : new Date(clearedAt.getTime() + deviceTimes.absolute);
  return end < last
    ? html`${time(end)} if it is not used, and ${time(last)} in any case`
    : time(end);
}

function clearedPart(view: DevicesView, device: Device): Html {
  const texts =
    passkeyUseOf(view) === undefined
      ? view.missing.flatMap((each) => missingTexts[each] ?? [])
      : [];
  const scriptless =
    device.jkt === null
      ? undefined
      : html`<noscript><p class="notice">What admins do needs a proof by its key, and that needs JavaScript.</p></noscript>`;
  return html`${state('This device is cleared.')}
${facts([
  ['Name', device.name],
  ['Cleared since', device.cleared_at === null ? 'unknown' : time(device.cleared_at)],
  ['Ends', endOf(device)],
  ['Bound by', bindingTexts[bindingOf(device)]],
])}
${texts.map((text) => html`<p class="notice">${text}</p>\n`)}${scriptless}${passkeyPart(view)}`;
}

function restoring({ hasSecondFactor, next }: DevicesView, device: Device): Html {
  if (device.reasons.includes('admin')) return html`<p>Only an admin can restore it: ask one.</p>`;
  if (!hasSecondFactor) return html`<p>You have no second factor: ask an admin to restore it.</p>`;
  return html`<p>If all that was you, restore it. You are asked to sign in with your second factor first. It gets a new cookie then, so that copies of the old one are worth nothing.</p>
${postForm({ action: '/account/devices/restore', values: { id: device.id, next }, button: 'Restore this device', script: 'proof' })}`;
}

function suspendedPart(view: DevicesView, device: Device): Html {
  const lost =
    device.jkt === null
      ? undefined
      : html`<p>If this browser has lost the key that belongs to it, for instance with its other data, remove the device, which signs you out, and ask again as a new one.</p>`;
  return html`${state('This device is suspended.')}
<p>Nothing that needs a cleared device works from it. Why:</p>
<ul>${toReasons(device).map(({ text }) => html`<li>${text}</li>\n`)}</ul>
${whoHelps(view)}${restoring(view, device)}
${lost}
${removeForm(device.id, 'Remove it and ask again')}`;
}

function deniedPart(device: Device): Html {
  return html`${state('Clearance was refused to this device.')}
<p>It stays refused. Remove it, which signs you out; then sign in and ask again, as a new device.</p>
${removeForm(device.id, 'Remove it and ask again')}`;
}

function removedPart(view: DevicesView): Html {
  return html`${state('This device was removed.')}
<p>What is removed stays removed. Ask again: it will be a new one.</p>
${askForm(view, { isNew: true, button: 'Ask again' })}`;
}

function thisDevice(view: DevicesView): Html {
  const { device } = view;
  if (device === undefined) return unknownPart(view);
  switch (device.state) {
    case 'pending':
      return pendingPart(view, device);
    case 'cleared':
      return clearedPart(view, device);
    case 'expired':
      return expiredPart(view);
    case 'suspended':
      return suspendedPart(view, device);
    case 'denied':
      return deniedPart(device);
    case 'revoked':
      return removedPart(view);
  }
}

function renaming({ id, name }: Device, trouble: FormError | undefined, about?: string): Html {
  const error = trouble?.deviceId === id ? trouble.text : undefined;
  const input = textField({
    id: `new-name-${id}`,
    name: 'name',
    label: 'New name',
    value: name,
    most: 64,
    error,
    attributes: html`required`,
  });
  return html`<details${error === undefined ? undefined : html` open`}><summary${about === undefined ? undefined : html` aria-describedby="${about}"`}>Rename</summary>
${postForm({ action: '/account/devices/rename', values: { id }, inputs: input, button: 'Rename', isSecond: true })}</details>\n`;
}

/**
 * What else a person may do with the device in front: for states whose part has no such buttons.
 */
function managing({ device, trouble }: DevicesView): Html | undefined {
  if (device === undefined || device.state === 'revoked') return undefined;
  const isOffered = device.state === 'cleared' || device.state === 'expired';
  return html`${renaming(device, trouble)}${isOffered ? removeForm(device.id, 'Remove this device and sign out') : undefined}`;
}

function otherDevice(device: Device, trouble: FormError | undefined): Html {
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
  return html`<li><h3 id="${about}">${device.name}</h3>
${facts([
  ['State', stateTexts[device.state]],
  ['Browser', programOf(device)],
  ['Seen from', place],
  ['Last seen', time(device.last_seen)],
])}
${renaming(device, trouble, about)}<div class="row">${device.state === 'cleared' ? suspend : undefined}${removeForm(id, 'Remove', about)}</div></li>\n`;
}

function otherDevices({ others, trouble }: DevicesView): Html {
  if (others.length === 0) return html`<p>You have no other device.</p>`;
  return html`<ul class="sessions">\n${others.map((each) => otherDevice(each, trouble))}</ul>
${others.length > 1 ? postForm({ action: '/account/devices/remove-others', button: 'Remove all other devices', isSecond: true }) : undefined}`;
}

/**
 * Where to go from here: to where the person was going, else to the console when the person and
 * this device may enter it.
 */
function onward({ next, missing, mayEnterConsole }: DevicesView): Html | undefined {
  if (missing.length > 0)
    return next === undefined
      ? undefined
      : notice('What you wanted to open needs a cleared device.');
  if (next !== undefined)
    return html`<p class="notice" role="status">This device may do what you wanted. <a href="${next}">Go on</a></p>`;
  return mayEnterConsole
    ? html`<p class="notice">This device may enter the console. <a href="${consolePath}">Open the console</a></p>`
    : undefined;
}

/**
 * The device that shows the page, and the person's others. `done` names a sentence that is said
 * first.
 */
export function devicesPage(view: DevicesView, done: string | undefined): Page {
  const { device, next, nonce, now, isAdmin } = view;
  const body = html`${scriptFacts({ device, next, nonce, now })}
${notice(done === undefined || (done === 'restored' && device?.state !== 'cleared') ? undefined : notices[done])}${onward(view)}
${alert}
<h2>This device</h2>
${thisDevice(view)}
${managing(view)}
<h2>Other devices</h2>
${otherDevices(view)}
<p><a href="/account">Back to your account</a></p>
${isAdmin ? html`<p><a href="/account/devices/requests">Requests for clearance</a></p>` : undefined}`;
  return {
    title: 'Your devices',
    isWide: true,
    isError: view.trouble !== undefined,
    script: deviceScriptPath,
    body,
  };
}
