import type { Clock } from '../../lib/clock.ts';
import { NfcAlarmView } from '../../areas/nfc/alarms/schemas.ts';
import type { ConsoleServices } from './context.ts';

/** Taps at one tag that need a look. */
export interface WaitingAlarm {
  /** Null for codes that no tag has. */
  tagId: string | null;
  tagName: string | null;
  /** How often each kind happened. */
  kinds: ReadonlyMap<NfcAlarmView['kind'], number>;
}

/** What waits for an admin. Null: a store could not say. */
export interface Waiting {
  /** Devices that ask for approval. */
  devices: number | null;
  /** When the device that waits longest asked, Unix ms. */
  oldestDevice: number | undefined;
  /** Contact messages that nobody has opened. */
  messages: number | null;
  /** Verified people on the waitlist. */
  people: number | null;
  failedJobs: number | null;
  /** Most recent first, those of one tag together. */
  alarms: readonly WaitingAlarm[];
}

type Services = Pick<
  ConsoleServices,
  'devices' | 'contactThreads' | 'waitlistApprovals' | 'queues' | 'nfcAlarms'
>;

/** For how long the counts are not read again. Changes in the console are seen at once. */
const freshMs = 10_000;
const maxAlarms = 50;

function failedJobsOf({ queues }: Services): number | null {
  const { broker, handlers } = queues.state();
  return broker.reachable ? handlers.reduce((all, { failed }) => all + (failed ?? 0), 0) : null;
}

async function readAlarms({ nfcAlarms: { service } }: Services): Promise<WaitingAlarm[]> {
  const query = { resolved: false, sort: '-last_at', limit: maxAlarms };
  const alarms = new Map<
    string | null,
    WaitingAlarm & { kinds: Map<NfcAlarmView['kind'], number> }
  >();
  for (const entry of (await service.list(query)).data) {
    const { kind, tag_id: tagId, tag_name: tagName, count } = NfcAlarmView.parse(entry);
    const alarm = alarms.get(tagId) ?? {
      tagId,
      tagName,
      kinds: new Map<NfcAlarmView['kind'], number>(),
    };
    alarm.kinds.set(kind, (alarm.kinds.get(kind) ?? 0) + count);
    alarms.set(tagId, alarm);
  }
  return [...alarms.values()];
}

/** How many alarms wait for a look: one for each kind at each tag, as their page lists them. */
export const countAlarms = (alarms: readonly WaitingAlarm[]): number =>
  alarms.reduce((all, { kinds }) => all + kinds.size, 0);

async function readWaiting(services: Services): Promise<Waiting> {
  const [devices, messages, waitlist, alarms] = await Promise.all([
    services.devices.decisions.list('open').catch(() => null),
    services.contactThreads.countByStatus().catch(() => null),
    services.waitlistApprovals.figures().catch(() => null),
    readAlarms(services).catch(() => []),
  ]);
  const asked = devices?.map(({ request }) => request.created_at.getTime()) ?? [];
  return {
    devices: devices?.length ?? null,
    oldestDevice: asked.length === 0 ? undefined : Math.min(...asked),
    messages: messages === null ? null : (messages.get('new') ?? 0),
    people: waitlist?.entries.verified ?? null,
    failedJobs: failedJobsOf(services),
    alarms,
  };
}

/** What waits, read at most every ten seconds for all admins together. */
export function createWaiting(services: Services & { clock: Clock }) {
  let last: { at: number; waiting: Promise<Waiting>; value?: Waiting } | undefined;

  return {
    /** Reads the counts, if they are not known for long enough already. Never rejects. */
    read(): Promise<Waiting> {
      const now = services.clock.now();
      if (last === undefined || now - last.at >= freshMs) {
        const waiting = readWaiting(services);
        const read: typeof last = { at: now, waiting };
        void waiting.then((value) => {
          read.value = value;
        });
        last = read;
      }
      return last.waiting;
    },

    /** The counts that were read last, for the menu. */
    latest: (): Waiting | undefined => last?.value,

    /** Something was changed: the next page reads the counts again. */
    forget(): void {
      last = undefined;
    },
  };
}

export type WaitingCounts = ReturnType<typeof createWaiting>;
