import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { rich } from '../../../../lib/text/rich.ts';
import { linkTo } from '../../../../platform/ui/link-to.tsx';
import { consolePath } from '../../../../lib/site-paths.ts';
import type { Page } from '../../../../platform/ui/pages.tsx';
import type { Device } from '../store.ts';
import { texts } from '../texts/en.ts';
import type { DevicesView, FormError } from './device-view.ts';
import {
  alert,
  countryOf,
  facts,
  notice,
  postForm,
  programOf,
  scriptFacts,
  time,
} from './page-parts.tsx';
import { removeForm, thisDevice } from './this-device.tsx';

const notices: Partial<Record<string, string>> = {
  restored: texts.devices.restored,
  suspended: texts.devices.suspended,
  removed: texts.devices.removed,
  others_removed: texts.devices.othersRemoved,
  renamed: texts.devices.renamed,
};

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
    button: texts.actions.rename,
    isSecond: true,
  });
  return (
    <Disclosure summary={texts.actions.rename} isOpen={error !== undefined} about={about}>
      {form}
    </Disclosure>
  );
}

/** Rename, and remove in the states whose own section has no such button. */
function managementForms({ device, error }: DevicesView): Html | undefined {
  if (device === undefined || device.state === 'revoked') return undefined;
  const isOffered = device.state === 'cleared' || device.state === 'expired';
  return (
    <>
      {renameForm(device, error)}
      {isOffered ? removeForm(device.id, texts.actions.removeThis) : undefined}
    </>
  );
}

function otherDevice(device: Device, error: FormError | undefined): Html {
  const { actions, facts: labels, states } = texts;
  const { id, country, address } = device;
  const about = `device-${id}`;
  const place =
    country === null && address === null
      ? labels.unknown
      : [country === null ? [] : [countryOf(country)], address ?? []].flat().join(', ');
  const suspend = postForm({
    action: '/account/devices/suspend',
    values: { id },
    button: actions.suspend,
    about,
    isSecond: true,
  });
  return (
    <li>
      <h3 id={about} safe>
        {device.name}
      </h3>
      {facts([
        [labels.state, escapeHtml(states[device.state])],
        [labels.browser, escapeHtml(programOf(device))],
        [labels.seenFrom, escapeHtml(place)],
        [labels.lastSeen, time(device.last_seen)],
      ])}
      {renameForm(device, error, about)}
      <div class="btn-row">
        {device.state === 'cleared' ? suspend : undefined}
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
      <ul class="item-list">{others.map((each) => otherDevice(each, error))}</ul>
      {others.length > 1 ? removeOthers : undefined}
    </>
  );
}

/** A link to the page the user came for, or else to the console if the user may open it. */
function nextStep({ next, missing, mayEnterConsole }: DevicesView): Html | undefined {
  const { needsApproval, continue: goOn, openConsole } = texts.devices;
  if (missing.length > 0) return next === undefined ? undefined : notice(needsApproval);
  if (next !== undefined)
    return <Banner text="" content={rich(goOn, { link: linkTo(next) })} tone="ok" role="status" />;
  return mayEnterConsole ? (
    <Banner text="" content={rich(openConsole, { link: linkTo(consolePath) })} tone="ok" />
  ) : undefined;
}

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
      <h2 safe>{devices.thisDevice}</h2>
      {thisDevice(view)}
      {managementForms(view)}
      <h2 safe>{devices.otherDevices}</h2>
      {otherDevices(view)}
      <p>
        <a href="/account" safe>
          {devices.account}
        </a>
      </p>
      {isAdmin ? (
        <p>
          <a href="/account/devices/requests" safe>
            {devices.requests}
          </a>
        </p>
      ) : undefined}
    </>
  );
  return {
    title: devices.title,
    isWide: true,
    isError: view.error !== undefined,
    script: 'devices.js',
    body,
  };
}
