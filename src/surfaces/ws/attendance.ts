import type { Logger } from 'pino';
import { groupBy } from '../../lib/group-by.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { ClientInfo, Presence } from '../../platform/bus/presence.ts';
import { channelOf } from '../../areas/realtime/channels.ts';
import type { Client } from './client.ts';
import { ReplyError } from './codes.ts';

export interface AttendanceDeps {
  presence: Presence;
  bus: Pick<Bus, 'publishPresence'>;
  infoOf: (client: Client) => ClientInfo;
  logger: Logger;
}

/** Who has come or gone, by client: only the last of it counts. */
type Changes = Map<string, { info: ClientInfo; isHere: boolean }>;

/** Who is on which channel, for the others there. Nobody waits for it. */
export function createAttendance({ presence, bus, infoOf, logger }: AttendanceDeps) {
  // After a drop thousands come back at once: what happens in one turn goes to Redis together.
  const changes = new Map<string, Changes>();
  const quietly = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => logger.debug({ err: error }, 'presence could not be told'));

  async function store(channel: string, those: Changes): Promise<void> {
    const all = [...those.values()];
    await presence.change(
      channel,
      all.filter(({ isHere }) => isHere).map(({ info }) => info),
      all.filter(({ isHere }) => !isHere).map(({ info }) => info.client),
    );
    await Promise.all(
      all.map(({ info, isHere }) =>
        bus.publishPresence(channel, isHere ? 'join' : 'leave', JSON.stringify({ info })),
      ),
    );
  }

  function storeAll(): void {
    for (const [channel, those] of changes) quietly(store(channel, those));
    changes.clear();
  }

  function note(client: Client, channel: string, isHere: boolean): void {
    if (changes.size === 0) setImmediate(storeAll);
    const those = changes.get(channel) ?? new Map<string, { info: ClientInfo; isHere: boolean }>();
    changes.set(channel, those.set(client.id, { info: infoOf(client), isHere }));
  }

  return {
    enter: (client: Client, channel: string): void => note(client, channel, true),
    leave: (client: Client, channel: string): void => note(client, channel, false),

    /** Says that these are still there. */
    renew(clients: readonly Client[]): void {
      const here = clients.flatMap((client) =>
        [...client.subscriptions.keys()]
          .filter((channel) => channelOf(channel)?.rule.hasPresence === true)
          .map((channel) => ({ channel, info: infoOf(client) })),
      );
      for (const [channel, those] of groupBy(here, (each) => each.channel))
        quietly(
          presence.change(
            channel,
            those.map(({ info }) => info),
            [],
          ),
        );
    },

    /** Throws ReplyError `internal` while Redis can't be reached. */
    list: (channel: string): Promise<Record<string, ClientInfo>> =>
      presence.list(channel).catch(() => {
        throw new ReplyError('internal');
      }),
  };
}

export type Attendance = ReturnType<typeof createAttendance>;
