import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus.ts';
import type { ClientInfo, Presence } from '../../platform/bus/presence.ts';
import { channelOf } from './channels.ts';
import type { Client } from './client.ts';
import { ReplyError } from './codes.ts';

export interface AttendanceDeps {
  presence: Presence;
  bus: Pick<Bus, 'pass'>;
  infoOf: (client: Client) => ClientInfo;
  logger: Logger;
}

/** Who is on which channel, for the others there. Nobody waits for it. */
export function createAttendance({ presence, bus, infoOf, logger }: AttendanceDeps) {
  const quietly = (work: Promise<unknown>): void => void work.catch((error: unknown) => logger.debug({ err: error }, 'presence could not be told'));
  const tell = (channel: string, kind: 'join' | 'leave', info: ClientInfo) => bus.pass(channel, kind, JSON.stringify({ info }));

  return {
    enter(client: Client, channel: string): void {
      const info = infoOf(client);
      quietly(presence.enter(channel, info).then(() => tell(channel, 'join', info)));
    },

    leave(client: Client, channel: string): void {
      const info = infoOf(client);
      quietly(presence.leave(channel, client.id).then(() => tell(channel, 'leave', info)));
    },

    /** Says that the client is still there. */
    renew(client: Client): void {
      for (const channel of client.subscriptions.keys()) {
        if (channelOf(channel)?.rule.hasPresence === true) quietly(presence.enter(channel, infoOf(client)));
      }
    },

    /** Throws ReplyError `internal` while Redis can't be reached. */
    list: (channel: string): Promise<Record<string, ClientInfo>> => presence.list(channel).catch(() => { throw new ReplyError('internal'); }),
  };
}

export type Attendance = ReturnType<typeof createAttendance>;
