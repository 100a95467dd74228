// As the service writes times, in the language of the page.
const locale = document.documentElement.lang;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const sameDay = new Intl.DateTimeFormat(locale, clock);
const otherDay = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...clock,
});

/** Shows times in the user's time zone; the exact instant becomes their title. */
export function localizeTimes(part: ParentNode): void {
  const today = new Date().toDateString();
  for (const time of part.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || time.hasAttribute('data-plain')) continue;
    const { until, ago } = time.dataset;
    if (ago !== undefined) {
      time.title = otherDay.format(at);
      continue;
    }
    time.title = until === undefined ? time.dateTime : `${time.dateTime} – ${until}`;
    time.textContent =
      until === undefined
        ? (at.toDateString() === today ? sameDay : otherDay).format(at)
        : otherDay.formatRange(at, new Date(until));
  }
}
