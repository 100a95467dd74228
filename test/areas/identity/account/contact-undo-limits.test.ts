import { expect } from 'vitest';
import { tally } from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';

const app = await sharedApp('limited');

it('links that undo a change cannot be guessed fast: one address has 30 attempts', async () => {
  const guesser = new TestClient(app).from('198.51.100.77');
  const answers = [];
  for (let at = 0; at < 34; at += 1)
    answers.push(await guesser.form('/account/undo-change', { token: 'y'.repeat(43) }));
  expect(tally(answers)).toEqual({ 410: 30, 429: 4 });
});
