import type { Html } from '../../../../lib/text/html.ts';
import { BrandMark, DeviceMark, FlagMark } from '../../../../platform/ui/components/marks.tsx';
import type { BreakdownName } from './breakdown-lists.ts';

const branded: readonly BreakdownName[] = ['sources', 'referrers', 'browsers', 'operating_systems'];

/** What stands before the name of a row: a flag, a brand or the icon of a device. */
export function rowMark(name: BreakdownName, value: string | null): Html | undefined {
  if (name === 'countries') return <FlagMark country={value} />;
  if (name === 'devices') return <DeviceMark kind={value} />;
  return branded.includes(name) ? <BrandMark name={value} /> : undefined;
}
