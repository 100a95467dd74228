import { describe, expect, it } from 'vitest';
import type { AuditEventView } from '../../../src/areas/audit/schemas.ts';
import {
  foldEntries,
  isRepeated,
  isSameTarget,
} from '../../../src/surfaces/console/people/audit/folding.ts';

const entry = (change: Partial<AuditEventView>): AuditEventView => ({
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  at: '2026-05-04T09:30:00.000Z',
  action: 'contact.replied',
  outcome: 'success',
  reason: null,
  actor: { kind: 'user', id: 'ada' },
  target: { kind: 'contact_message', id: 'one' },
  address: null,
  request_id: null,
  details: {},
  ...change,
});
const sizes = (entries: readonly AuditEventView[]) =>
  foldEntries(entries).map((fold) => fold.entries.length);

describe('neighbours in the audit log', () => {
  it('are one where somebody did the same again, to others or to the same', () => {
    const other = entry({ target: { kind: 'contact_message', id: 'two' } });
    const [fold, ...none] = foldEntries([entry({}), other, entry({})]);
    expect(none).toEqual([]);
    expect(fold?.entries).toHaveLength(3);
    expect(fold !== undefined && isRepeated(fold)).toBe(true);
    expect(fold !== undefined && isSameTarget(fold)).toBe(false);
  });

  it('stay apart by who did it, what it was, on which day, and where it failed', () => {
    const by = entry({ actor: { kind: 'user', id: 'jonas' } });
    const done = entry({ action: 'contact.note_added' });
    const before = entry({ at: '2026-05-03T23:59:59.000Z' });
    const failed = entry({ outcome: 'failure' });
    for (const other of [by, done, before, failed])
      expect(sizes([entry({}), other])).toEqual([1, 1]);
    expect(sizes([failed, failed])).toEqual([1, 1]);
    expect(sizes([entry({}), by, entry({})])).toEqual([1, 1, 1]);
  });

  it('are one sign-in where they are its steps, within seconds', () => {
    const created = entry({ action: 'session.created', at: '2026-05-04T09:30:01.000Z' });
    const verified = entry({ action: 'otp.verified' });
    const [fold] = foldEntries([verified, created]);
    expect(fold?.entry.action).toBe('session.created');
    expect(fold !== undefined && isRepeated(fold)).toBe(false);
    const later = entry({ action: 'session.created', at: '2026-05-04T09:31:00.000Z' });
    expect(sizes([later, verified])).toEqual([1, 1]);
  });
});
