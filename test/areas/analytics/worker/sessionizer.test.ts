import { beforeEach, describe, expect, it } from 'vitest';
import {
  createSessionizer,
  type Sessionizer,
  visitGapMs,
} from '../../../../src/areas/analytics/worker/sessionizer.ts';
import type { Visit } from '../../../../src/areas/analytics/store/events.ts';

const minute = 60_000;
const start = Date.parse('2026-03-29T12:00:00Z');
const at = (minutes: number) => start + minutes * minute;
const [anna, ben, yesterday] = ['00000000000000aa', '00000000000000bb', 'ffffffffffffffff'];

let sessionizer: Sessionizer;
beforeEach(() => {
  sessionizer = createSessionizer();
});

const see = (minutes: number, visitor: string | undefined = anna, site = 1) =>
  sessionizer.assign(site, visitor, undefined, undefined, at(minutes));
const seeNamed = (minutes: number, name: string, visitor = anna, site = 1) =>
  sessionizer.assign(site, visitor, undefined, name, at(minutes));

describe('a visit', () => {
  it('goes on for thirty minutes after its last event, the end included', () => {
    const { session } = see(0);
    expect(see(30).session).toBe(session);
    expect(see(60).session).toBe(session);
    expect(sessionizer.assign(1, anna, undefined, undefined, at(90) + 1).session).not.toBe(session);
    expect(sessionizer.size()).toBe(1);
  });

  it('takes in what came out of order, before its beginning too', () => {
    const { session } = see(0);
    expect([see(-30).session, see(-10).session, see(-60).session]).toEqual([
      session,
      session,
      session,
    ]);
    expect(sessionizer.closeFinished(at(200))).toMatchObject([
      { session, first: at(-60), last: at(0) },
    ]);
  });

  it('is another one for every visitor and on every site, also with the same hash there', () => {
    const sessions = [see(0), see(0, ben), see(0, anna, 2), see(0, ben, 2)].map(
      ({ session }) => session,
    );
    expect(new Set(sessions).size).toBe(4);
    expect(see(1, anna, 2).session).toBe(sessions[2]);
  });

  it('is none for visitors that are not recognised', () => {
    const nobody = { visitor: 0n, session: 0n, late: false, reopened: false };
    expect(sessionizer.assign(1, undefined, undefined, undefined, start)).toEqual(nobody);
    expect(sessionizer.assign(1, undefined, anna, 'named', start)).toEqual(nobody);
    expect(sessionizer.assign(1, '0'.repeat(16), undefined, undefined, start)).toEqual(nobody);
    expect(sessionizer.size()).toBe(0);
  });
});

describe('over midnight', () => {
  it("a visit goes on under yesterday's hash, and the next one begins under today's", () => {
    const before = see(-10, yesterday);
    const after = sessionizer.assign(1, anna, yesterday, undefined, at(5));
    expect(after).toMatchObject({ visitor: BigInt(`0x${yesterday}`), session: before.session });
    expect(sessionizer.assign(1, anna, yesterday, undefined, at(30))).toMatchObject({
      session: before.session,
    });
    const next = sessionizer.assign(1, anna, yesterday, undefined, at(61));
    expect(next).toMatchObject({ visitor: BigInt(`0x${anna}`), late: false });
    expect(next.session).not.toBe(before.session);
  });

  it("today's visit is preferred when it is near, yesterday's when only that is", () => {
    const before = see(-10, yesterday);
    const own = see(25);
    expect(sessionizer.assign(1, anna, yesterday, undefined, at(10)).session).toBe(own.session);
    expect(sessionizer.assign(1, anna, yesterday, undefined, at(-39)).session).toBe(before.session);
  });

  it("yesterday's hash on another site means nobody", () => {
    see(-10, yesterday, 2);
    expect(sessionizer.assign(1, anna, yesterday, undefined, at(5)).visitor).toBe(
      BigInt(`0x${anna}`),
    );
  });
});

describe('a visit that the client names', () => {
  it('is one whatever the pauses, until it is closed; then the store is asked for it', () => {
    const first = seeNamed(0, 'a');
    expect(first.reopened).toBe(true);
    expect(seeNamed(59, 'a')).toMatchObject({ session: first.session, reopened: false });
    expect(sessionizer.closeFinished(at(300))).toMatchObject([
      { session: first.session, named: true, first: at(0), last: at(59) },
    ]);
    expect(seeNamed(310, 'a')).toMatchObject({ session: first.session, reopened: true });
  });

  it("stays its first visitor's", () => {
    seeNamed(0, 'a', anna);
    expect(seeNamed(1, 'a', ben).visitor).toBe(BigInt(`0x${anna}`));
  });

  it('is another one on another site, and never a visit that was not named', () => {
    const sessions = [
      seeNamed(0, 'a').session,
      seeNamed(0, 'a', anna, 2).session,
      seeNamed(0, 'b').session,
      see(0).session,
    ];
    expect(new Set(sessions).size).toBe(4);
  });
});

describe('what the memory cannot decide', () => {
  it('is marked late: an event that may belong to a visit that is gone', () => {
    see(0);
    sessionizer.closeFinished(at(120));
    expect(sessionizer.completeFrom()).toBe(at(60));
    expect(see(89)).toMatchObject({ late: true });
    expect(see(90, ben)).toMatchObject({ late: false });
  });

  it('is marked late: an event before the open visit that is not near it', () => {
    see(0);
    expect(see(-31)).toMatchObject({ late: true });
  });

  it('is marked late: an event that closes the gap to the visit before', () => {
    see(0);
    see(50);
    expect(see(25)).toMatchObject({ late: true });
    see(0, ben);
    see(70, ben);
    expect(see(45, ben)).toMatchObject({ late: false });
  });

  it('is marked late when it may close the gap to a visit that is gone', () => {
    see(0);
    see(65);
    sessionizer.closeFinished(at(125));
    expect(sessionizer.completeFrom()).toBe(at(65));
    expect(see(64)).toMatchObject({ late: true });
  });

  it('is as much after a restart as before it', () => {
    sessionizer.closeFinished(at(120));
    const restarted = createSessionizer();
    restarted.resume(sessionizer.completeFrom());
    expect(restarted.assign(1, anna, undefined, undefined, at(89))).toMatchObject({ late: true });
    expect(restarted.assign(1, anna, undefined, undefined, at(90))).toMatchObject({ late: false });
  });
});

describe('closing', () => {
  it('gives each visit once, when nothing can lengthen it any more', () => {
    see(0);
    see(40);
    expect(sessionizer.closeFinished(at(41))).toMatchObject([{ first: at(0), last: at(0) }]);
    expect(sessionizer.closeFinished(at(40) + 2 * visitGapMs)).toEqual([]);
    expect(sessionizer.closeFinished(at(40) + 2 * visitGapMs + 1)).toMatchObject([
      { first: at(40), last: at(40) },
    ]);
    expect(sessionizer.closeFinished(at(1000))).toEqual([]);
    expect(sessionizer.size()).toBe(0);
  });

  it('keeps memory bounded: the longest silent go first, and are known to be gone', () => {
    sessionizer = createSessionizer({ maxOpen: 10 });
    for (let n = 0; n < 12; n++) see(n, n.toString(16).padStart(16, '1'));
    const closed = sessionizer.closeFinished(at(13));
    expect(closed.map(({ last }) => last)).toEqual([at(0), at(1), at(2)]);
    expect(sessionizer.size()).toBe(9);
    expect(sessionizer.completeFrom()).toBe(at(2) + 1);
    expect(see(14, '1111111111111110')).toMatchObject({ late: true });
  });

  it('gives the earliest start of visits that are open or wait to be written', () => {
    see(0);
    see(40);
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

  it('go on when they are adopted, whichever of two comes first', () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      sessionizer = createSessionizer();
      const both = [visit(), visit({ session: 8n, first: at(50), last: at(60) })];
      for (const index of order) sessionizer.adopt(both[index]!);
      expect(see(70)).toMatchObject({ session: 8n, late: false });
      expect(see(35)).toMatchObject({ session: 8n, late: true });
      expect(sessionizer.closeFinished(at(71))).toMatchObject([{ session: 7n }]);
    }
  });

  it('know of a closed visit before them', () => {
    sessionizer.adopt(visit({ first: at(50), last: at(60), previousEnd: at(10) }));
    expect(see(41)).toMatchObject({ late: false });
    expect(see(40)).toMatchObject({ late: true });
  });

  it('that are named are joined with what has come since', () => {
    const { session } = seeNamed(100, 'a', ben);
    sessionizer.adopt(
      visit({ session, named: true, visitor: 0xaan, first: at(-500), last: at(-400) }),
    );
    expect(seeNamed(101, 'a', ben).visitor).toBe(0xaan);
    expect(sessionizer.closeFinished(at(1000))).toMatchObject([
      { session, visitor: 0xaan, first: at(-500), last: at(101) },
    ]);
  });

  it('replace all that was known of a forgotten visitor, but not named visits', () => {
    see(0);
    see(40);
    seeNamed(0, 'a');
    see(0, ben);
    sessionizer.forget([{ siteId: 1, visitor: 0xaan }]);
    sessionizer.adopt(visit({ session: 9n, first: at(0), last: at(40) }));
    const closed = sessionizer.closeFinished(at(1000));
    expect(closed).toHaveLength(3);
    expect(closed.filter(({ visitor, named }) => visitor === 0xaan && !named)).toMatchObject([
      { session: 9n, first: at(0), last: at(40) },
    ]);
  });
});
