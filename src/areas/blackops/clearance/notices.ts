import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { dayMs } from '../../../lib/durations.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { Messages } from '../../comms/service.ts';
import type { User } from '../../users/store.ts';
import { riskRules } from '../recognition/risk.ts';
import type { Device } from '../store.ts';

export interface NoticesDeps {
  messages: Pick<Messages, 'send'>;
  findUser: (id: string) => Promise<User | undefined>;
  baseUrl: string;
  clock: Clock;
  logger: Logger;
}

const lifetimeMs = dayMs;

const describeRule = (rule: string): string =>
  Object.entries(riskRules).find(([name]) => name === rule)?.[1] ?? '';

const unlessYou = 'If this was not you, remove it and sign out everywhere.';

function enrolledText({ name, country }: Device): string {
  const where = country === null ? '' : ` and was used in ${country}`;
  return `It calls itself "${name}"${where}. ${unlessYou}`;
}

function suspendedText({ name, reasons }: Device): string {
  const why = reasons.map(describeRule).filter((text) => text !== '');
  return (
    `It calls itself "${name}". ${why.join(' ') || 'A person has suspended it.'} ` +
    'If this was you, restore it there with your second factor.'
  );
}

/** Queues e-mails about devices. A failure to queue one is logged and not thrown. */
function createSender({ messages, findUser, baseUrl, clock, logger }: NoticesDeps) {
  return async function send(userId: string, headline: string, body: string): Promise<void> {
    try {
      const to = (await findUser(userId))?.identities.find(({ kind }) => kind === 'email')?.value;
      if (to === undefined) return;
      const text = `${body} Your devices: ${baseUrl}/account/devices`;
      await messages.send({
        channel: 'email',
        to,
        template: 'account_notice',
        params: { headline, body: text },
        key: `device-notice:${randomUUID()}`,
        expiresAt: clock.now() + lifetimeMs,
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'comms.not_configured'))
        logger.warn({ err: error }, 'a notice about a device could not be queued');
    }
  };
}

/** Sends users an e-mail when something happens to their devices. */
export function createNotices(deps: NoticesDeps) {
  const send = createSender(deps);

  return {
    /** A device was enrolled, or requests clearance again. */
    enrolled: (device: Device): Promise<void> =>
      send(
        device.user_id,
        device.state === 'cleared' ? 'A new device is cleared' : 'A new device asks for clearance',
        enrolledText(device),
      ),

    /** An approver has decided on the request. */
    decided: (device: Device): Promise<void> =>
      send(
        device.user_id,
        device.state === 'cleared'
          ? 'Your device is cleared'
          : 'Clearance was refused to your device',
        `It calls itself "${device.name}". ` +
          'If you did not ask for this, remove it and sign out everywhere.',
      ),

    suspended: (device: Device): Promise<void> =>
      send(device.user_id, 'Your device is suspended', suspendedText(device)),

    restored: (device: Device): Promise<void> =>
      send(
        device.user_id,
        'Your device is cleared again',
        `It calls itself "${device.name}". ${unlessYou}`,
      ),

    /** All devices of a user, or all but one, were revoked together. */
    allRevoked: (userId: string, count: number): Promise<void> =>
      send(
        userId,
        count === 1 ? 'A device of yours was removed' : `${count} of your devices were removed`,
        'This follows when you sign out everywhere, take a second factor away, ' +
          'or remove the others. If this was not you, sign in and look at your account.',
      ),

    /** The device was revoked from another device, or by an admin. */
    revoked: (device: Device): Promise<void> =>
      send(
        device.user_id,
        'Your device was removed',
        `It called itself "${device.name}". It is signed out.`,
      ),
  };
}

export type Notices = ReturnType<typeof createNotices>;
