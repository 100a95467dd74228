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
    if (field.defaultValue !== '') field.value = toLocal(field.defaultValue);
    field.dataset.localTime = 'shown';
  }
  for (const note of part.querySelectorAll('[data-zone-note]'))
    note.textContent = texts.times.inZone({ zone: ownZone });
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
