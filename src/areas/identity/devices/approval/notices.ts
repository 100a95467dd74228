import { randomUUID } from 'node:crypto';
import { dayMs } from '../../../../lib/durations.ts';
import { countryName } from '../../../../lib/places/country-names.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import type { Messages } from '../../../comms/service.ts';
import type { DeviceResources } from '../context.ts';
import { riskRules } from '../recognition/risk.ts';
import type { Device } from '../store.ts';
import { texts } from '../texts/en/emails.ts';

const lifetimeMs = dayMs;

const describeRule = (rule: string): string =>
  Object.entries(riskRules).find(([name]) => name === rule)?.[1] ?? '';

interface NoticeText {
  headline: string;
  body: string;
}

function suspendedBody({ reasons }: Device): string {
  const { byAdmin, byOwner, restore } = texts.suspended;
  const rules = reasons.map(describeRule).filter((text) => text !== '');
  if (reasons.includes('admin')) return [...rules, byAdmin].join(' ');
  return [...(rules.length === 0 ? [byOwner] : rules), restore].join(' ');
}

function factsOf({ name, country }: Device, at: number) {
  const place = country === null ? undefined : (countryName(country) ?? country);
  return [
    { label: texts.device, value: name },
    { label: texts.at, value: formatDateTime(at) },
    ...(place === undefined ? [] : [{ label: texts.country, value: place }]),
  ];
}

/** Sends users an email when something happens to their devices. */
export function createNotices({
  messages,
  findUser,
  baseUrl,
  clock,
  logger,
}: Pick<DeviceResources, 'findUser' | 'baseUrl' | 'clock' | 'logger'> & {
  messages: Pick<Messages, 'send'>;
}) {
  return {
    /** A device was enrolled, or requests approval again. */
    enrolled: (device: Device): Promise<void> =>
      sendAbout(
        device,
        'device_new',
        texts.enrolled[device.state === 'cleared' ? 'cleared' : 'pending'],
      ),

    /** An approver has decided on the request. */
    decided: (device: Device): Promise<void> =>
      device.state === 'cleared'
        ? sendAbout(device, 'device_approved', texts.decided.cleared)
        : sendAbout(device, 'device_denied', texts.decided.denied),

    suspended: (device: Device): Promise<void> =>
      sendAbout(device, 'device_suspended', {
        headline: texts.suspended.headline,
        body: suspendedBody(device),
      }),

    restored: (device: Device): Promise<void> =>
      sendAbout(device, 'device_restored', texts.restored),

    /** All devices of a user, or all but one, were revoked together. */
    allRevoked: (userId: string, count: number): Promise<void> =>
      send(userId, 'device_removed', {
        headline: texts.allRevoked.headline({ count }),
        body: texts.allRevoked.body,
      }),

    /** The device was revoked from another device, or by an admin. */
    revoked: (device: Device): Promise<void> => sendAbout(device, 'device_removed', texts.revoked),
  };

  function sendAbout(device: Device, about: string, text: NoticeText): Promise<void> {
    return send(device.user_id, about, text, device);
  }

  /** A failure to queue the email is logged and not thrown. */
  async function send(
    userId: string,
    about: string,
    { headline, body }: NoticeText,
    device?: Device,
  ): Promise<void> {
    try {
      const to = (await findUser(userId))?.identities.find(({ kind }) => kind === 'email')?.value;
      if (to === undefined) return;
      await messages.send({
        channel: 'email',
        to,
        template: 'account_notice',
        params: {
          headline,
          body,
          facts: device === undefined ? [] : factsOf(device, clock.now()),
          link: { label: texts.review, url: `${baseUrl}/account/devices` },
        },
        about,
        key: `device-notice:${randomUUID()}`,
        expiresAt: clock.now() + lifetimeMs,
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'comms.not_configured'))
        logger.warn({ err: error }, 'a notice about a device could not be queued');
    }
  }
}
