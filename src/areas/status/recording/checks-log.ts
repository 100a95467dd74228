import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Observation } from './builtin.ts';
import { componentStore } from '../components/component-store.ts';
import { heartbeatStore } from './heartbeat-store.ts';
import type { Memory } from './memory.ts';
import type { ComponentStatus } from '../model.ts';
import { spanStore } from './span-store.ts';
import { isMaintained } from '../state.ts';

interface Change {
  componentId: string;
  status: ComponentStatus;
  /** Unix ms. */
  at: number;
}

/** Changes that wait for a database that is away; of more the oldest but one of each component are not worth their memory. */
const most = 2000;

/** Turns what the checks say into spans. What could not be written waits, with its times. */
export function createChecksLog({
  db,
  memory,
  clock,
}: {
  db: Database;
  memory: Memory;
  clock: Clock;
}) {
  const last = new Map<string, ComponentStatus>();
  let waiting: Change[] = [];

  /** How the span that goes on, as it was read last, shows a component. */
  const recorded = (id: string): ComponentStatus =>
    memory
      .loaded()
      .spans.find(
        ({ componentId, cause, endedAt }) =>
          componentId === id && cause === 'check' && endedAt === null,
      )?.status ?? 'operational';

  /** Nothing of a check counts before the last time that it, or planned work, began or ended. */
  function lastEdge(id: string): number {
    const own = memory
      .loaded()
      .spans.filter(
        ({ componentId, cause }) =>
          componentId === id && (cause === 'check' || cause === 'maintenance'),
      );
    return Math.max(0, ...own.flatMap(({ beganAt, endedAt }) => [beganAt, endedAt ?? 0]));
  }

  async function write(
    changes: readonly Change[],
    statuses: ReadonlyMap<string, Observation>,
  ): Promise<void> {
    const { incidents } = memory.loaded();
    await db.transaction().execute(async (transaction) => {
      // What somebody takes off the page meanwhile must not get a span that nobody ends.
      const present = await componentStore.lockPresent(
        transaction,
        changes.map(({ componentId }) => componentId),
      );
      const own = changes.filter(({ componentId }) => present.has(componentId));
      for (const { componentId, status, at } of own)
        await spanStore.changeCheck(
          transaction,
          componentId,
          isMaintained(incidents, componentId) ? 'operational' : status,
          at,
        );
      for (const id of present) {
        const now = statuses.get(id) ?? own.findLast((change) => change.componentId === id);
        if (now !== undefined)
          await componentStore.setCheck(
            transaction,
            id,
            now.status,
            new Date('since' in now ? now.since : now.at),
          );
      }
      await heartbeatStore.grow(transaction);
    });
  }

  /** What the database has to be told so that it says what the checks say now. */
  function differences(): Change[] {
    const observed = memory.observations();
    const { components, incidents } = memory.loaded();
    return components.flatMap(({ id, source, checkStatus, checkSince }) => {
      // What this process does not check any more has no trouble that goes on.
      const unseen =
        source === 'builtin'
          ? { status: 'operational' as const, since: clock.now() }
          : { status: checkStatus, since: checkSince };
      const now = observed.get(id) ?? { ...unseen, isKnown: true };
      const shown = isMaintained(incidents, id) ? 'operational' : now.status;
      const isNews = now.isKnown && (shown !== recorded(id) || now.status !== checkStatus);
      return isNews
        ? [{ componentId: id, status: now.status, at: Math.max(now.since, lastEdge(id)) }]
        : [];
    });
  }

  return {
    /** Notes what has changed since it was called last. Call it every second. */
    observe(): void {
      // What was recorded is not known yet, nor then what is a change.
      if (memory.loaded().version < 0) return;
      for (const [componentId, { status, since, isKnown }] of memory.observations()) {
        if (!isKnown || last.get(componentId) === status) continue;
        // The first time the difference to what is recorded counts.
        if (last.has(componentId)) waiting.push({ componentId, status, at: since });
        last.set(componentId, status);
      }
      if (waiting.length > most) waiting = waiting.slice(-most);
    },

    /** Somebody else records. */
    forget(): void {
      waiting = [];
    },

    /** Writes what waits, then what else differs. Gives whether anything was written; rejects while the database is away, and nothing is lost. */
    async flush(): Promise<boolean> {
      const taken = waiting.slice();
      const known = new Set(memory.loaded().components.map(({ id }) => id));
      const changes =
        taken.length > 0
          ? taken.filter(({ componentId }) => known.has(componentId))
          : differences();
      if (changes.length > 0) await write(changes, memory.observations());
      waiting = waiting.filter((each) => !taken.includes(each));
      return changes.length > 0;
    },
  };
}

export type ChecksLog = ReturnType<typeof createChecksLog>;
