import { texts } from './texts/en.ts';

// As the service writes times, in the language of the page.
const locale = document.documentElement.lang;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { month: 'short', day: 'numeric' } as const;
const timeOfDay = new Intl.DateTimeFormat(locale, clock);
const thisYear = new Intl.DateTimeFormat(locale, { ...day, ...clock });
const otherYear = new Intl.DateTimeFormat(locale, { ...day, year: 'numeric' });
const span = new Intl.DateTimeFormat(locale, { ...day, year: 'numeric', ...clock });
const exact = new Intl.DateTimeFormat(locale, {
  ...day,
  weekday: 'short',
  year: 'numeric',
  ...clock,
  second: '2-digit',
  timeZoneName: 'short',
});

/** Whether a word stands before it in its line: `Last seen today, 22:06`. */
const isInLine = ({ previousSibling: before }: Element): boolean =>
  before instanceof Text && /[\p{L}\p{N},]\s*$/u.test(before.data);

/** `Today, 22:06`, `Yesterday, 22:06`, `Nov 28, 07:30`, and the date alone of other years. */
function shortTime(at: Date, now: Date, isWithin: boolean): string {
  const { today, yesterday: dayBefore } = isWithin ? texts.times.inLine : texts.times;
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const time = timeOfDay.format(at);
  if (at.toDateString() === now.toDateString()) return today({ time });
  if (at.toDateString() === yesterday.toDateString()) return dayBefore({ time });
  return (at.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(at);
}

/** Shows times in the user's time zone; the exact one, with seconds and zone, is their title. */
export function localizeTimes(part: ParentNode): void {
  const now = new Date();
  for (const time of part.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || time.hasAttribute('data-plain')) continue;
    const { until, ago } = time.dataset;
    time.title = until === undefined ? exact.format(at) : exact.formatRange(at, new Date(until));
    if (until !== undefined) time.textContent = span.formatRange(at, new Date(until));
    else if (ago === undefined) time.textContent = shortTime(at, now, isInLine(time));
  }
}
