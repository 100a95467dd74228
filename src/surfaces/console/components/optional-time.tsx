import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Instant } from '../../../platform/i18n/dates.ts';
import { Time } from '../../../platform/ui/time.tsx';
import { texts } from '../texts/en.ts';

export interface OptionalTimeOptions {
  at: Instant | null | undefined;
  /** Shown without a time. */
  none?: string;
}

/** A time, or what is shown without one. */
export const OptionalTime = ({ at, none = texts.time.never }: OptionalTimeOptions): Html =>
  at == null ? escapeHtml(none) : <Time at={at} />;
