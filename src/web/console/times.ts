import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

// As the service writes times, in the language of the page.
const locale = document.documentElement.lang;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const sameDay = new Intl.DateTimeFormat(locale, { ...clock, second: '2-digit' });
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
    const { until } = time.dataset;
    time.title = until === undefined ? time.dateTime : `${time.dateTime} – ${until}`;
    time.textContent =
      until === undefined
        ? (at.toDateString() === today ? sameDay : otherDay).format(at)
        : otherDay.formatRange(at, new Date(until));
  }
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Adds buttons that fill the user's time zone into fields for one. */
export function offerOwnZone(part: ParentNode): void {
  for (const input of part.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
    if (input.value === ownZone) continue;
    const attributes = { type: 'button', class: 'btn btn-ghost btn-small', 'data-fill-zone': '' };
    input.after(element('button', attributes, texts.times.useZone({ zone: ownZone })));
  }
}

/** Makes the buttons of `offerOwnZone` work. */
export function installOwnZone(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-fill-zone]') : null;
    const input = button?.previousElementSibling;
    if (!button || !(input instanceof HTMLInputElement)) return;
    input.value = ownZone;
    input.focus();
    button.remove();
  });
}
