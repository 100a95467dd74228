import type { Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { Table } from '../../../../platform/ui/components/table.tsx';
import { count } from '../../components/number-format.ts';
import type { ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';
import { dropReason } from './definitions.tsx';

const words = texts.dashboard.leftOut;

/** What does not count: events of bots, and events that were rejected, by their reasons. */
export function excludedEvents(
  { left_out: leftOut }: DashboardView,
  { filters, bots }: ViewParams,
): Html | undefined {
  const rows = Object.entries(leftOut.dropped).toSorted(([, a], [, b]) => b - a);
  const rejected = rows.reduce((sum, [, times]) => sum + times, 0);
  const botEvents = bots ? 0 : leftOut.bot_events;
  if (rejected + botEvents === 0) return undefined;
  return (
    <Disclosure id="left-out" summary={words.summary({ bots: botEvents, rejected })}>
      <p class="hint" safe>
        {filters.length === 0 ? words.hint : `${words.hint} ${words.unfiltered}`}
      </p>
      {rows.length > 0 && (
        <Table
          caption={words.caption}
          columns={[
            { title: words.reason, text: ([code]) => dropReason(code) },
            { title: words.events, text: ([, times]) => count(times), isNumber: true },
          ]}
          rows={rows}
        />
      )}
    </Disclosure>
  );
}
