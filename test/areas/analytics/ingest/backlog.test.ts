import { expect, test } from 'vitest';
import { createBacklog } from '../../../../src/areas/analytics/ingest/backlog.ts';

test('the backlog counts events that are durable but not in the store yet', () => {
  let end = { segment: 1, offset: 0 };
  const backlog = createBacklog(() => end);
  backlog.applied(end, 0);
  expect(backlog.figures()).toEqual({ accepted: 0, pending: 0 });
  end = { segment: 1, offset: 500 };
  backlog.stored(5);
  backlog.applied({ segment: 1, offset: 200 }, 2);
  expect(backlog.figures()).toEqual({ accepted: 5, pending: 3 });
  backlog.applied(end, 3);
  expect(backlog.figures()).toEqual({ accepted: 5, pending: 0 });
});

test('pending is null until the events from before the start are applied', () => {
  const end = { segment: 3, offset: 100 };
  const backlog = createBacklog(() => end);
  backlog.applied({ segment: 2, offset: 0 }, 0);
  backlog.applied({ segment: 3, offset: 50 }, 40);
  expect(backlog.figures().pending).toBeNull();
  backlog.applied(end, 10);
  expect(backlog.figures().pending).toBe(0);
});
