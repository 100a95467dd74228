import { expect, it } from 'vitest';
import { createRandom } from '../../src/commands/demo/random.ts';
import { storyOf } from '../../src/commands/demo/stories/story.ts';
import { createMovingClock, playActs } from '../../src/commands/demo/stories/timeline.ts';
import { waitlistActs } from '../../src/commands/demo/stories/waitlist-acts.ts';
import type { FiguresView } from '../../src/areas/waitlist/schemas.entries.ts';
import { asAdmin, freshApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

it('the waitlist of the demo has people in every state, with and without credit', async () => {
  const story = storyOf(Date.now());
  const clock = createMovingClock(story.from);
  const app = await freshApp({ clock });
  try {
    const world = { app, clock, story, random: createRandom('test'), people: [], ids: new Map() };
    await playActs(waitlistActs(world), clock, () => undefined);
    clock.set(story.until);
    const admin = new TestClient(app).as(asAdmin);
    const { body } = await admin.get<FiguresView>('/api/v2/waitlist/entries/stats');
    const { entries, referrals } = body;
    expect(entries).toMatchObject({ approved: 12, joined: 28 });
    expect(entries.verified).toBeGreaterThan(60);
    expect(entries.pending).toBeGreaterThan(0);
    expect(referrals.granted).toBeGreaterThan(20);
    expect(Object.keys(referrals.withheld).length).toBeGreaterThan(0);
  } finally {
    await app.close();
  }
}, 300_000);
