import { element } from '../page/elements.ts';
import { texts } from './texts/en.ts';

const localFields = 'input[data-local-time]';
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A `datetime-local` value in the user's time zone, from one in UTC. */
function toLocal(utc: string): string {
  const at = new Date(`${utc}Z`);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** Shows the times of fields in the user's time zone; `sendLocalTimes` sends them in UTC. */
export function localizeTimeFields(part: ParentNode): void {
  for (const field of part.querySelectorAll<HTMLInputElement>(localFields)) {
    if (field.dataset.localTime === 'shown') continue;
    // As the default, it does not count as typed.
    if (field.defaultValue !== '') field.defaultValue = toLocal(field.defaultValue);
    field.dataset.localTime = 'shown';
  }
  for (const note of part.querySelectorAll<HTMLElement>('[data-zone-note]')) showZone(note);
}

const utcTime = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

/** Says in which zone the times of a form are, and where asked, what they are in UTC. */
function showZone(note: HTMLElement): void {
  const form = note.closest('form');
  const write = (): void => {
    const times = [...(form?.querySelectorAll<HTMLInputElement>(localFields) ?? [])]
      .map(({ value }) => new Date(value))
      .filter((at) => !Number.isNaN(at.getTime()))
      .map((at) => utcTime.format(at));
    const utc =
      note.dataset.zoneNote === 'utc' && ownZone !== 'UTC' && times.length > 0
        ? times.join(' – ')
        : undefined;
    note.textContent = texts.times.inZone({ zone: ownZone, utc });
  };
  write();
  form?.addEventListener('input', write);
}

/** Sends times of `localizeTimeFields` in UTC, as the service expects them. */
export function sendLocalTimes(): void {
  document.addEventListener('formdata', ({ target, formData }) => {
    if (!(target instanceof HTMLFormElement)) return;
    const shown = `${localFields}[data-local-time=shown]`;
    for (const field of target.querySelectorAll<HTMLInputElement>(shown)) {
      const at = new Date(field.value);
      if (!Number.isNaN(at.getTime())) formData.set(field.name, at.toISOString().slice(0, 16));
    }
  });
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Adds buttons that fill the user's time zone into fields for one; `fill` is filled at once. */
export function offerOwnZone(part: ParentNode): void {
  for (const input of part.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
    // As the default, it does not count as typed.
    if (input.dataset.ownZone === 'fill' && input.value === '') input.defaultValue = ownZone;
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
