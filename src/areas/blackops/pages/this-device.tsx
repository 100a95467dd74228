import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { bindingOf, deviceTimes, type Requirement } from '../clearance/policy.ts';
import type { Device } from '../store.ts';
import { toReasons } from '../views.ts';
import type { DevicesView } from './device-view.ts';
import { bindingTexts, facts, postForm, textField, time } from './page-parts.tsx';
import { passkeyPart, passkeyUseOf } from './page-passkey.tsx';

const state = (text: string): Html => (
  <p id="device-state" class="state" safe>
    {text}
  </p>
);

function askForm(
  { client, next }: DevicesView,
  { isNew, button }: { isNew: boolean; button: string },
): Html {
  const name = textField({
    id: 'name',
    name: 'name',
    label: 'Name of this device',
    hint: `To recognise it by. Left empty, it is called ${client}.`,
    maxLength: 64,
  });
  const reason = textField({
    id: 'reason',
    name: 'reason',
    label: 'Reason',
    hint: 'Whoever decides reads it. May be left empty.',
    maxLength: 280,
  });
  return postForm({
    action: '/account/devices/ask',
    values: { next },
    inputs: (
      <>
        {isNew ? name : undefined}
        {reason}
      </>
    ),
    button,
    script: 'ask',
  });
}

export const removeForm = (id: string, button: string, about?: string): Html =>
  postForm({
    action: '/account/devices/remove',
    values: { id },
    button,
    isSecond: true,
    ...(about === undefined ? {} : { about }),
  });

function helpers({ admins }: DevicesView): Html | undefined {
  if (admins === undefined) return undefined;
  if (admins.length === 0)
    return (
      <p>
        No other admin has a cleared device yet.{' '}
        <a href="/developer/guides/device-security">How the first one comes about.</a>
      </p>
    );
  return (
    <p>
      Who can help: <strong safe>{admins.join(', ')}</strong>.
    </p>
  );
}

function unknownPart(view: DevicesView): Html {
  const text =
    view.policy.binding === 'none'
      ? 'This device is not known. Nothing here needs a cleared one at present.'
      : 'This device is not cleared.';
  return (
    <>
      {state(text)}
      <p>
        What admins do needs a cleared device. Ask for clearance: you get a number, and an admin who
        knows you clears the device with it.
      </p>
      {helpers(view)}
      {askForm(view, { isNew: true, button: 'Ask for clearance' })}
    </>
  );
}

function expiredPart(view: DevicesView): Html {
  const text = 'The clearance of this device has ended, or nobody has decided on it in time.';
  return (
    <>
      {state(text)}
      {helpers(view)}
      {askForm(view, { isNew: false, button: 'Ask again' })}
    </>
  );
}

function selfClearSection({ policy, hasSecondFactor, next }: DevicesView): Html | undefined {
  if (policy.clearance !== 'self_step_up') return undefined;
  if (!hasSecondFactor)
    return (
      <p>
        With a second factor you could clear it yourself.{' '}
        <a href="/account">Set one up in your account.</a>
      </p>
    );
  const form = postForm({
    action: '/account/devices/ask',
    values: { reason: '', second_factor: '1', next },
    button: 'Clear it with my second factor',
    isSecond: true,
    script: 'proof',
  });
  return (
    <>
      <p>Or clear it yourself, right after signing in with your second factor.</p>
      {form}
    </>
  );
}

function pendingPart(view: DevicesView, device: Device): Html {
  const { request } = view;
  const number =
    request === undefined ? undefined : (
      <>
        <p>
          Tell this number to an admin, in person or by phone. Do not send it to anybody who asks
          you for it.
        </p>
        <p class="number" safe>
          {request.number}
        </p>
        <p>
          Admins decide at <strong>/account/devices/requests</strong>, or in the console under
          Devices. The request ends {time(request.expires_at)}.
        </p>
        {helpers(view)}
      </>
    );
  const bound =
    device.passkey_id === null ? undefined : (
      <p>It is bound by {escapeHtml(bindingTexts[bindingOf(device)])}.</p>
    );
  return (
    <>
      {state('This device waits for a decision.')}
      {number}
      {bound}
      {passkeyPart(view)}
      <noscript>
        <p>Load this page again to see whether somebody has decided.</p>
      </noscript>
      {selfClearSection(view)}
      {removeForm(device.id, 'Withdraw the request and sign out')}
    </>
  );
}

const missingTexts: Partial<Record<Requirement, string>> = {
  stronger_binding:
    'It is bound too weakly for what admins do here. ' +
    'Remove it and ask again, with JavaScript switched on.',
};

function describeEnd({ cleared_at: clearedAt, expires_at: end }: Device): Html {
  if (end === null) return <>never</>;
  const last = clearedAt === null ? end : new Date(clearedAt.getTime() + deviceTimes.absolute);
  return end < last ? (
    <>
      {time(end)} if it is not used, and {time(last)} in any case
    </>
  ) : (
    time(end)
  );
}

function clearedPart(view: DevicesView, device: Device): Html {
  const texts =
    passkeyUseOf(view) === undefined
      ? view.missing.flatMap((each) => missingTexts[each] ?? [])
      : [];
  const scriptless =
    device.jkt === null ? undefined : (
      <noscript>
        <p class="notice">What admins do needs a proof by its key, and that needs JavaScript.</p>
      </noscript>
    );
  return (
    <>
      {state('This device is cleared.')}
      {facts([
        ['Name', escapeHtml(device.name)],
        [
          'Cleared since',
          device.cleared_at === null ? escapeHtml('unknown') : time(device.cleared_at),
        ],
        ['Ends', describeEnd(device)],
        ['Bound by', escapeHtml(bindingTexts[bindingOf(device)])],
      ])}
      {texts.map((text) => (
        <p class="notice" safe>
          {text}
        </p>
      ))}
      {scriptless}
      {passkeyPart(view)}
    </>
  );
}

function restoreSection({ hasSecondFactor, next }: DevicesView, device: Device): Html {
  if (device.reasons.includes('admin')) return <p>Only an admin can restore it: ask one.</p>;
  if (!hasSecondFactor) return <p>You have no second factor: ask an admin to restore it.</p>;
  const form = postForm({
    action: '/account/devices/restore',
    values: { id: device.id, next },
    button: 'Restore this device',
    script: 'proof',
  });
  return (
    <>
      <p>
        If all that was you, restore it. You are asked to sign in with your second factor first. It
        gets a new cookie then, so that copies of the old one are worth nothing.
      </p>
      {form}
    </>
  );
}

function suspendedPart(view: DevicesView, device: Device): Html {
  const lostKeyHint =
    device.jkt === null ? undefined : (
      <p>
        If this browser has lost the key that belongs to it, for instance with its other data,
        remove the device, which signs you out, and ask again as a new one.
      </p>
    );
  return (
    <>
      {state('This device is suspended.')}
      <p>Nothing that needs a cleared device works from it. Why:</p>
      <ul>
        {toReasons(device).map(({ text }) => (
          <li safe>{text}</li>
        ))}
      </ul>
      {helpers(view)}
      {restoreSection(view, device)}
      {lostKeyHint}
      {removeForm(device.id, 'Remove it and ask again')}
    </>
  );
}

function deniedPart(device: Device): Html {
  return (
    <>
      {state('Clearance was refused to this device.')}
      <p>
        It stays refused. Remove it, which signs you out; then sign in and ask again, as a new
        device.
      </p>
      {removeForm(device.id, 'Remove it and ask again')}
    </>
  );
}

function removedPart(view: DevicesView): Html {
  return (
    <>
      {state('This device was removed.')}
      <p>What is removed stays removed. Ask again: it will be a new one.</p>
      {askForm(view, { isNew: true, button: 'Ask again' })}
    </>
  );
}

/** The state of the device in use, and what the user can do about it. */
export function thisDevice(view: DevicesView): Html {
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
