import { expect, it } from 'vitest';
import { Time } from '../../../src/platform/ui/time.tsx';

it('a time is exact for programs and short for people', () => {
  expect(<Time at="2026-11-28T15:05:09.123+01:00" />).toBe(
    '<time datetime="2026-11-28T14:05:09.123Z">Nov 28, 2026, 14:05 UTC</time>',
  );
  expect(() => <Time at={NaN} />).toThrow(RangeError);
});
