import { expect, it } from 'vitest';
import { createRandom } from '../../src/commands/demo/random.ts';
import { storyOf } from '../../src/commands/demo/stories/story.ts';
import { createMovingClock, playActs } from '../../src/commands/demo/stories/timeline.ts';
import { waitlistActs } from '../../src/commands/demo/stories/waitlist-acts.ts';
import { asAdmin, freshApp } from '../support/app.ts';

it('the waitlist of the demo has people in every state, with and without credit', async () => {
  const story = storyOf(Date.now());
  const clock = createMovingClock(story.from);
  const app = await freshApp({ clock });
  try {
    const world = { app, clock, story, random: createRandom('test'), people: [], ids: new Map() };
    await playActs(waitlistActs(world), clock, () => undefined);
    clock.set(story.until);
    const figures = await app.http.inject({
      url: '/api/v2/waitlist/entries/stats',
      headers: asAdmin,
    });
    const { entries, referrals } = figures.json<{
      entries: Record<string, number>;
      referrals: { granted: number; withheld: Record<string, number> };
    }>();
    expect(entries).toMatchObject({ approved: 12, joined: 28 });
    expect(entries.verified).toBeGreaterThan(60);
    expect(entries.pending).toBeGreaterThan(0);
    expect(referrals.granted).toBeGreaterThan(20);
    expect(Object.keys(referrals.withheld).length).toBeGreaterThan(0);
  } finally {
    await app.close();
  }
}, 300_000);
