import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Dialog } from '../../../../platform/ui/components/overlay.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { BrandMark } from '../../../../platform/ui/components/marks.tsx';
import { rich } from '../../../../lib/text/rich.ts';
import { linkTo } from '../../../../platform/ui/link-to.tsx';
import { consolePath } from '../../../../lib/site-paths.ts';
import type { Page } from '../../../../platform/ui/pages.tsx';
import { accountFrame } from '../../account/frame.tsx';
import type { DeviceState } from '../states.ts';
import type { Device } from '../store.ts';
import { texts } from '../texts/en.ts';
import type { DevicesView, FormError } from './device-view.ts';
import { alert, countryOf, notice, postForm, programOf, scriptFacts, time } from './page-parts.tsx';
import { requestsPath } from './routes.options.ts';
import { removeForm, thisDevice } from './this-device.tsx';

const tones: Readonly<Record<DeviceState, Tone>> = {
  pending: 'info',
  cleared: 'ok',
  expired: 'neutral',
  suspended: 'warn',
  denied: 'bad',
  revoked: 'neutral',
  unknown: 'neutral',
};

const notices: Partial<Record<string, string>> = {
  restored: texts.devices.restored,
  suspended: texts.devices.suspended,
  removed: texts.devices.removed,
  others_removed: texts.devices.othersRemoved,
  renamed: texts.devices.renamed,
};

/** Renames a device, in a dialog; after an error in place. */
function renameForm({ id, name }: Device, formError: FormError | undefined, about?: string): Html {
  const error = formError?.deviceId === id ? formError.text : undefined;
  const input = Field({
    id: `new-name-${id}`,
    name: 'name',
    label: texts.actions.newName,
    value: name,
    maxLength: 64,
    error,
    attributes: { required: true },
  });
  const form = postForm({
    action: '/account/devices/rename',
    values: { id },
    inputs: input,
    button: texts.actions.saveName,
  });
  if (error !== undefined) return form;
  return (
    <Dialog
      id={`rename-${id}`}
      title={texts.actions.renameTitle({ name })}
      open={texts.actions.rename}
      close={texts.actions.close}
      icon="edit"
      isIconOnly={about !== undefined}
      size={about === undefined ? 'medium' : 'small'}
      about={about}
      isNear
    >
      {form}
    </Dialog>
  );
}

/** Rename, and remove in the states whose own section has no such button. */
function managementForms({ device, error }: DevicesView): Html | undefined {
  if (device === undefined || device.state === 'revoked') return undefined;
  const isOffered = device.state === 'cleared' || device.state === 'expired';
  return (
    <div class="btn-row">
      {renameForm(device, error)}
      {isOffered ? removeForm(device.id, texts.actions.removeThis) : undefined}
    </div>
  );
}

const placeText = ({ country, address }: Device): string =>
  country === null && address === null
    ? texts.facts.unknown
    : [country === null ? [] : [countryOf(country)], address ?? []].flat().join(', ');

/** One device in a line. */
function otherDevice(device: Device, error: FormError | undefined): Html {
  const { actions, states } = texts;
  const { id, name, state } = device;
  const about = `device-${id}`;
  const program = programOf(device);
  const suspend = postForm({
    action: '/account/devices/suspend',
    values: { id },
    button: actions.suspend,
    about,
    isSecond: true,
    isSmall: true,
  });
  const seen = () => time(device.last_seen);
  return (
    <li class="account-row">
      <span class="account-mark">
        <BrandMark name={program.split(' on ', 1).join('')} />
      </span>
      <div>
        <p id={about}>
          <strong safe>{name}</strong> <Badge text={states[state]} tone={tones[state]} />
        </p>
        <p class="hint">
          {program === name ? undefined : escapeHtml(`${program} · `)}
          {escapeHtml(placeText(device))} · {rich(texts.facts.seen, { seen })}
        </p>
      </div>
      <div class="btn-row">
        {renameForm(device, error, about)}
        {state === 'cleared' ? suspend : undefined}
        {removeForm(id, actions.remove, about)}
      </div>
    </li>
  );
}

function otherDevices({ others, error }: DevicesView): Html {
  if (others.length === 0) return <p safe>{texts.devices.noOthers}</p>;
  const removeOthers = postForm({
    action: '/account/devices/remove-others',
    button: texts.actions.removeOthers,
    isSecond: true,
  });
  return (
    <>
      <ul class="account-rows">{others.map((each) => otherDevice(each, error))}</ul>
      {others.length > 1 ? removeOthers : undefined}
    </>
  );
}

/** A link to the page the user came for. */
function nextStep({ next, missing }: DevicesView): Html | undefined {
  const { needsApproval, continue: goOn } = texts.devices;
  if (missing.length > 0) return next === undefined ? undefined : notice(needsApproval);
  return next === undefined ? undefined : (
    <Banner text="" content={rich(goOn, { link: linkTo(next) })} tone="ok" role="status" />
  );
}

/** Leads to the console, if this device may open it and nothing else was asked for. */
const consoleButton = ({ next, missing, mayEnterConsole }: DevicesView): Html | undefined =>
  missing.length === 0 && next === undefined && mayEnterConsole ? (
    <Button label={texts.requests.openConsole} size="small" href={consolePath} />
  ) : undefined;

/** The page of the user's devices. `done` is the action to confirm, a key of `notices`. */
export function devicesPage(view: DevicesView, done: string | undefined): Page {
  const { device, next, nonce, now, isAdmin } = view;
  const { devices } = texts;
  const isConfirmed = done !== undefined && (done !== 'restored' || device?.state === 'cleared');
  const body = (
    <>
      {scriptFacts({ device, next, nonce, now })}
      {notice(isConfirmed ? notices[done] : undefined)}
      {nextStep(view)}
      {alert}
      <Card id="this-device" title={devices.thisDevice} actions={consoleButton(view)}>
        {thisDevice(view)}
        {managementForms(view)}
      </Card>
      <Card
        id="other-devices"
        title={devices.otherDevices}
        actions={
          isAdmin ? <Button label={devices.requests} size="small" href={requestsPath} /> : undefined
        }
      >
        {otherDevices(view)}
      </Card>
    </>
  );
  return accountFrame(view.person, 'devices', {
    title: devices.title,
    isError: view.error !== undefined,
    script: 'devices.js',
    body,
  });
}
