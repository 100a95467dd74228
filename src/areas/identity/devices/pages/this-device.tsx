import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { rich } from '../../../../lib/text/rich.ts';
import { formatList } from '../../../../platform/i18n/lists.ts';
import { linkTo } from '../../../../platform/ui/link-to.tsx';
import { bindingOf, deviceTimes, type Requirement } from '../approval/policy.ts';
import { canOwnerRestore } from '../management/restoration.ts';
import type { Device } from '../store.ts';
import { texts } from '../texts/en.ts';
import { toReasons } from '../views.ts';
import type { DevicesView } from './device-view.ts';
import { bindingTexts, facts, postForm, time } from './page-parts.tsx';
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
  const name = Field({
    id: 'name',
    name: 'name',
    label: texts.ask.name,
    hint: texts.ask.nameHint({ client }),
    maxLength: 64,
  });
  const reason = Field({
    id: 'reason',
    name: 'reason',
    label: texts.ask.reason,
    hint: texts.ask.reasonHint,
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
    ...(about === undefined ? {} : { about, isSmall: true }),
  });

function helpers({ admins }: DevicesView): Html | undefined {
  if (admins === undefined) return undefined;
  const { none, some } = texts.helpers;
  if (admins.length === 0)
    return <p>{rich(none, { link: linkTo('/developer/guides/device-security') })}</p>;
  return (
    <p>{rich(some, { names: () => <strong safe>{formatList(admins, { or: true })}</strong> })}</p>
  );
}

function unknownPart(view: DevicesView): Html {
  const { unknown, ask } = texts;
  return (
    <>
      {state(view.policy.binding === 'none' ? unknown.notRequired : unknown.state)}
      <p safe>{unknown.text}</p>
      {helpers(view)}
      {askForm(view, { isNew: true, button: ask.request })}
    </>
  );
}

const expiredPart = (view: DevicesView): Html => (
  <>
    {state(texts.expired.state)}
    {helpers(view)}
    {askForm(view, { isNew: false, button: texts.ask.again })}
  </>
);

function numberPart(view: DevicesView): Html | undefined {
  const { request } = view;
  if (request === undefined) return undefined;
  const marks = {
    end: () => time(request.expires_at),
  };
  return (
    <>
      <p safe>{texts.pending.tell}</p>
      <p class="number" safe>
        {request.number}
      </p>
      <p>{rich(texts.pending.where, marks)}</p>
      {helpers(view)}
    </>
  );
}

function pendingPart(view: DevicesView, device: Device): Html {
  const { pending } = texts;
  const bound =
    device.passkey_id === null ? undefined : (
      <p safe>{pending.binding({ binding: bindingTexts[bindingOf(device)] })}</p>
    );
  return (
    <>
      {state(pending.state)}
      {numberPart(view)}
      {bound}
      {passkeyPart(view)}
      <noscript>
        <p safe>{pending.reload}</p>
      </noscript>
      {removeForm(device.id, pending.withdraw)}
    </>
  );
}

const missingTexts: Partial<Record<Requirement, string>> = {
  stronger_binding: texts.cleared.tooWeak,
};

function describeEnd({ cleared_at: clearedAt, expires_at: end }: Device): Html {
  if (end === null) return escapeHtml(texts.facts.never);
  const last = clearedAt === null ? end : new Date(clearedAt.getTime() + deviceTimes.absolute);
  const marks = { unused: () => time(end), latest: () => time(last) };
  return end < last ? rich(texts.facts.expiresUnused, marks) : time(end);
}

function clearedFacts(device: Device): Html {
  const { facts: labels } = texts;
  const { cleared_at: clearedAt } = device;
  return facts([
    [labels.name, escapeHtml(device.name)],
    [labels.approved, clearedAt === null ? escapeHtml(labels.unknown) : time(clearedAt)],
    [labels.expires, describeEnd(device)],
    [labels.binding, escapeHtml(bindingTexts[bindingOf(device)])],
  ]);
}

function clearedPart(view: DevicesView, device: Device): Html {
  const missing =
    passkeyUseOf(view) === undefined
      ? view.missing.flatMap((each) => missingTexts[each] ?? [])
      : [];
  const scriptless =
    device.jkt === null ? undefined : (
      <noscript>
        <Banner text={texts.cleared.needsScript} tone="warn" />
      </noscript>
    );
  return (
    <>
      {state(texts.cleared.state)}
      {clearedFacts(device)}
      {missing.map((text) => (
        <Banner text={text} tone="warn" />
      ))}
      {scriptless}
      {passkeyPart(view)}
    </>
  );
}

function restoreSection({ hasSecondFactor, next }: DevicesView, device: Device): Html {
  const { suspended } = texts;
  if (!canOwnerRestore(device)) return <p safe>{suspended.byAdmin}</p>;
  if (!hasSecondFactor) return <p safe>{suspended.noFactor}</p>;
  const form = postForm({
    action: '/account/devices/restore',
    values: { id: device.id, next },
    button: suspended.restore,
    script: 'proof',
  });
  return (
    <>
      <p safe>{suspended.restoreText}</p>
      {form}
    </>
  );
}

function suspendedPart(view: DevicesView, device: Device): Html {
  const { suspended, actions } = texts;
  return (
    <>
      {state(suspended.state)}
      <p safe>{suspended.text}</p>
      <ul>
        {toReasons(device).map(({ text }) => (
          <li safe>{text}</li>
        ))}
      </ul>
      {helpers(view)}
      {restoreSection(view, device)}
      {device.jkt === null ? undefined : <p safe>{suspended.lostKey}</p>}
      {removeForm(device.id, actions.removeAndAsk)}
    </>
  );
}

const deniedPart = (device: Device): Html => (
  <>
    {state(texts.denied.state)}
    <p safe>{texts.denied.text}</p>
    {removeForm(device.id, texts.actions.removeAndAsk)}
  </>
);

const removedPart = (view: DevicesView): Html => (
  <>
    {state(texts.removed.state)}
    <p safe>{texts.removed.text}</p>
    {askForm(view, { isNew: true, button: texts.ask.again })}
  </>
);

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
