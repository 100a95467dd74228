import { beforeEach, describe, expect, it } from 'vitest';
import {
  createSessionizer,
  type Sessionizer,
  visitGapMs,
} from '../../../../src/areas/analytics/worker/sessionizer.ts';
import type { Visit } from '../../../../src/areas/analytics/store/events.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';

const start = Date.parse('2026-03-29T12:00:00Z');
const at = (minutes: number) => start + minutes * minuteMs;
const [anna, ben, yesterday] = ['00000000000000aa', '00000000000000bb', 'ffffffffffffffff'];

let sessionizer: Sessionizer;
beforeEach(() => {
  sessionizer = createSessionizer();
});

const addEvent = (minutes: number, visitor: string | undefined = anna, site = 1) =>
  sessionizer.assign(site, visitor, undefined, undefined, at(minutes));
/** Adds an event of Anna's, whose hash of yesterday it knows. */
const addAfterMidnight = (minutes: number) =>
  sessionizer.assign(1, anna, yesterday, undefined, at(minutes));
const addNamedEvent = (minutes: number, name: string, visitor = anna, site = 1) =>
  sessionizer.assign(site, visitor, undefined, name, at(minutes));

describe('a visit', () => {
  it('lasts until thirty minutes after its last event, inclusive', () => {
    const { session } = addEvent(0);
    expect(addEvent(30).session).toBe(session);
    expect(addEvent(60).session).toBe(session);
    expect(sessionizer.assign(1, anna, undefined, undefined, at(90) + 1).session).not.toBe(session);
    expect(sessionizer.size()).toBe(1);
  });

  it('includes events out of order, even before its start', () => {
    const { session } = addEvent(0);
    for (const minutes of [-30, -10, -60]) expect(addEvent(minutes).session).toBe(session);
    expect(sessionizer.closeFinished(at(200))).toMatchObject([
      { session, first: at(-60), last: at(0) },
    ]);
  });

  it('is separate for every visitor and site, even with the same hash', () => {
    const sessions = [addEvent(0), addEvent(0, ben), addEvent(0, anna, 2), addEvent(0, ben, 2)].map(
      ({ session }) => session,
    );
    expect(new Set(sessions).size).toBe(4);
    expect(addEvent(1, anna, 2).session).toBe(sessions[2]);
  });

  it('is not created for unrecognised visitors', () => {
    const unassigned = { visitor: 0n, session: 0n, late: false, reopened: false };
    expect(sessionizer.assign(1, undefined, undefined, undefined, start)).toEqual(unassigned);
    expect(sessionizer.assign(1, undefined, anna, 'named', start)).toEqual(unassigned);
    expect(sessionizer.assign(1, '0'.repeat(16), undefined, undefined, start)).toEqual(unassigned);
    expect(sessionizer.size()).toBe(0);
  });
});

describe('past midnight', () => {
  it("a visit continues under yesterday's hash, and the next one starts under today's", () => {
    const before = addEvent(-10, yesterday);
    const after = addAfterMidnight(5);
    expect(after).toMatchObject({ visitor: BigInt(`0x${yesterday}`), session: before.session });
    expect(addAfterMidnight(30)).toMatchObject({
      session: before.session,
    });
    const next = addAfterMidnight(61);
    expect(next).toMatchObject({ visitor: BigInt(`0x${anna}`), late: false });
    expect(next.session).not.toBe(before.session);
  });

  it("today's visit is preferred when it is near, yesterday's when only that is", () => {
    const before = addEvent(-10, yesterday);
    const own = addEvent(25);
    expect(addAfterMidnight(10).session).toBe(own.session);
    expect(addAfterMidnight(-39).session).toBe(before.session);
  });

  it("yesterday's hash on another site is ignored", () => {
    addEvent(-10, yesterday, 2);
    expect(addAfterMidnight(5).visitor).toBe(BigInt(`0x${anna}`));
  });
});

describe('a visit that the client names', () => {
  it('spans any pause until it is closed, and is then reopened from the store', () => {
    const first = addNamedEvent(0, 'a');
    expect(first.reopened).toBe(true);
    expect(addNamedEvent(59, 'a')).toMatchObject({ session: first.session, reopened: false });
    expect(sessionizer.closeFinished(at(300))).toMatchObject([
      { session: first.session, named: true, first: at(0), last: at(59) },
    ]);
    expect(addNamedEvent(310, 'a')).toMatchObject({ session: first.session, reopened: true });
  });

  it("stays its first visitor's", () => {
    addNamedEvent(0, 'a', anna);
    expect(addNamedEvent(1, 'a', ben).visitor).toBe(BigInt(`0x${anna}`));
  });

  it('is separate on another site, and never an unnamed visit', () => {
    const sessions = [
      addNamedEvent(0, 'a').session,
      addNamedEvent(0, 'a', anna, 2).session,
      addNamedEvent(0, 'b').session,
      addEvent(0).session,
    ];
    expect(new Set(sessions).size).toBe(4);
  });
});

describe('an event that memory alone cannot assign', () => {
  it('is marked late when it may belong to a closed visit', () => {
    addEvent(0);
    sessionizer.closeFinished(at(120));
    expect(sessionizer.completeFrom()).toBe(at(60));
    expect(addEvent(89)).toMatchObject({ late: true });
    expect(addEvent(90, ben)).toMatchObject({ late: false });
  });

  it('is marked late before the open visit and not near it', () => {
    addEvent(0);
    expect(addEvent(-31)).toMatchObject({ late: true });
  });

  it('is marked late when it closes the gap to the previous visit', () => {
    addEvent(0);
    addEvent(50);
    expect(addEvent(25)).toMatchObject({ late: true });
    addEvent(0, ben);
    addEvent(70, ben);
    expect(addEvent(45, ben)).toMatchObject({ late: false });
  });

  it('is marked late when it may close the gap to a closed visit', () => {
    addEvent(0);
    addEvent(65);
    sessionizer.closeFinished(at(125));
    expect(sessionizer.completeFrom()).toBe(at(65));
    expect(addEvent(64)).toMatchObject({ late: true });
  });

  it('is marked late after a restart as before it', () => {
    sessionizer.closeFinished(at(120));
    const restarted = createSessionizer();
    restarted.resume(sessionizer.completeFrom());
    expect(restarted.assign(1, anna, undefined, undefined, at(89))).toMatchObject({ late: true });
    expect(restarted.assign(1, anna, undefined, undefined, at(90))).toMatchObject({ late: false });
  });
});

describe('closing', () => {
  it('returns each visit once, when no event can extend it anymore', () => {
    addEvent(0);
    addEvent(40);
    expect(sessionizer.closeFinished(at(41))).toMatchObject([{ first: at(0), last: at(0) }]);
    expect(sessionizer.closeFinished(at(40) + 2 * visitGapMs)).toEqual([]);
    expect(sessionizer.closeFinished(at(40) + 2 * visitGapMs + 1)).toMatchObject([
      { first: at(40), last: at(40) },
    ]);
    expect(sessionizer.closeFinished(at(1000))).toEqual([]);
    expect(sessionizer.size()).toBe(0);
  });

  it('bounds memory: the longest idle are closed first, and later events marked late', () => {
    sessionizer = createSessionizer({ maxOpen: 10 });
    for (let n = 0; n < 12; n++) addEvent(n, n.toString(16).padStart(16, '1'));
    const closed = sessionizer.closeFinished(at(13));
    expect(closed.map(({ last }) => last)).toEqual([at(0), at(1), at(2)]);
    expect(sessionizer.size()).toBe(9);
    expect(sessionizer.completeFrom()).toBe(at(2) + 1);
    expect(addEvent(14, '1111111111111110')).toMatchObject({ late: true });
  });

  it('openFrom returns the earliest start of visits open or waiting to be written', () => {
    addEvent(0);
    addEvent(40);
    expect(sessionizer.openFrom(at(100))).toBe(at(0));
    sessionizer.closeFinished(at(41));
    expect(sessionizer.openFrom(at(100))).toBe(at(40));
    expect(sessionizer.openFrom(at(20))).toBe(at(20));
  });
});

describe('visits of the event store', () => {
  const visit = (given: Partial<Visit> = {}): Visit => ({
    siteId: 1,
    visitor: 0xaan,
    session: 7n,
    named: false,
    first: at(0),
    last: at(10),
    previousEnd: 0,
    ...given,
  });

  it('continue once adopted, whichever of two comes first', () => {
    const both = [visit(), visit({ session: 8n, first: at(50), last: at(60) })];
    for (const order of [both, both.toReversed()]) {
      sessionizer = createSessionizer();
      for (const one of order) sessionizer.adopt(one);
      expect(addEvent(70)).toMatchObject({ session: 8n, late: false });
      expect(addEvent(35)).toMatchObject({ session: 8n, late: true });
      expect(sessionizer.closeFinished(at(71))).toMatchObject([{ session: 7n }]);
    }
  });

  it('know of a closed visit before them', () => {
    sessionizer.adopt(visit({ first: at(50), last: at(60), previousEnd: at(10) }));
    expect(addEvent(41)).toMatchObject({ late: false });
    expect(addEvent(40)).toMatchObject({ late: true });
  });

  it('that are named merge with events that arrived since', () => {
    const { session } = addNamedEvent(100, 'a', ben);
    sessionizer.adopt(
      visit({ session, named: true, visitor: 0xaan, first: at(-500), last: at(-400) }),
    );
    expect(addNamedEvent(101, 'a', ben).visitor).toBe(0xaan);
    expect(sessionizer.closeFinished(at(1000))).toMatchObject([
      { session, visitor: 0xaan, first: at(-500), last: at(101) },
    ]);
  });

  it('replace the visits of a forgotten visitor, except named ones', () => {
    addEvent(0);
    addEvent(40);
    addNamedEvent(0, 'a');
    addEvent(0, ben);
    sessionizer.forget([{ siteId: 1, visitor: 0xaan }]);
    sessionizer.adopt(visit({ session: 9n, first: at(0), last: at(40) }));
    const closed = sessionizer.closeFinished(at(1000));
    expect(closed).toHaveLength(3);
    expect(closed.filter(({ visitor, named }) => visitor === 0xaan && !named)).toMatchObject([
      { session: 9n, first: at(0), last: at(40) },
    ]);
  });
});
