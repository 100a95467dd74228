const sameDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const otherDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows the times below `part` in the zone of the person; the exact instant is their title. */
export function localTimes(part: ParentNode): void {
  const today = new Date().toDateString();
  for (const element of part.querySelectorAll('time')) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime()) || element.hasAttribute('data-plain')) continue;
    element.title = element.dateTime;
    element.textContent = (at.toDateString() === today ? sameDay : otherDay).format(at);
  }
}
