import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEventIds } from '../../../../src/areas/analytics/ingest/admission/event-ids.ts';

describe('generated event ids', () => {
  it('are UUIDs of version 8 and the RFC 9562 variant', () => {
    const newId = createEventIds();
    for (const now of [0, 1, Date.now(), 4_102_444_800_000]) {
      const id = newId(now);
      expect(z.uuid().safeParse(id).success).toBe(true);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-80[0-9a-f]{2}-[0-9a-f]{12}$/);
    }
  });

  it('are unique and ascending, even beyond 1,024 a millisecond or when time goes back', () => {
    const newId = createEventIds();
    const ids = Array.from({ length: 5000 }, (_, index) =>
      newId(index < 4000 ? 1_800_000_000_000 : 1_700_000_000_000),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('differ between two generators at the same instant', () => {
    const [one, other] = [createEventIds(), createEventIds()];
    expect(one(1000)).not.toBe(other(1000));
    expect(one(1000).slice(0, 18)).toBe(one(2000).slice(0, 18));
  });
});
