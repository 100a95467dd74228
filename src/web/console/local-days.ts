import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

const longDay = new Intl.DateTimeFormat(document.documentElement.lang, {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
});

function dayName(at: Date): string {
  const day = (ago: number): string => {
    const then = new Date();
    then.setDate(then.getDate() - ago);
    return then.toDateString();
  };
  if (at.toDateString() === day(0)) return texts.times.today;
  return at.toDateString() === day(1) ? texts.times.yesterday : longDay.format(at);
}

/** Puts entries under headings of days in the user's time zone; the service knows only UTC. */
export function localizeDays(part: ParentNode): void {
  for (const box of part.querySelectorAll('[data-days]')) {
    const lists = new Map<string, HTMLElement>();
    const parts: HTMLElement[] = [];
    for (const entry of box.querySelectorAll(':scope > ol > li')) {
      const day = dayName(new Date(entry.querySelector('time')?.dateTime ?? ''));
      let list = lists.get(day);
      if (list === undefined) {
        list = element('ol', { class: 'activity' });
        lists.set(day, list);
        parts.push(element('h3', { class: 'activity-day' }, day), list);
      }
      list.append(entry);
    }
    box.replaceChildren(...parts);
  }
}
