import type { DeviceFetch } from './device-proof.ts';
import { replacePart } from './live-preview.ts';
import { texts } from './forms/texts/en.ts';

const fields = '.drop-zone input[type=file]';
const busyClass = 'drop-busy';

const zoneOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.drop-zone') : null;

/** The sentence of a page that says why a file was refused. */
async function reasonOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined);
  const isProblem = typeof answer === 'object' && answer !== null && 'detail' in answer;
  return isProblem && typeof answer.detail === 'string' ? answer.detail : texts.forms.failed;
}

/** Makes places for files take dropped ones, and send them at once where they say where to. */
export function installFileDrops(deviceFetch: DeviceFetch): void {
  async function upload(field: HTMLInputElement): Promise<void> {
    const { upload: path, into = '' } = field.dataset;
    const file = field.files?.[0];
    if (path === undefined || file === undefined) return;
    const body = new FormData();
    body.set('logo', file);
    const response = await deviceFetch(path, { method: 'POST', body, accept: '*/*' });
    const zone = zoneOf(field);
    const problem = zone?.querySelector<HTMLElement>('[role=alert]');
    if (response.status === 200) replacePart(into, await response.text());
    if (problem) {
      problem.textContent = response.status === 200 ? '' : await reasonOf(response);
      problem.hidden = response.status === 200;
    }
    field.value = '';
    // The form has another choice now, as if somebody had clicked on it.
    zone?.dispatchEvent(new Event('input', { bubbles: true }));
  }

  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(fields)) return;
    const zone = zoneOf(target);
    const name = target.files?.[0]?.name;
    if (target.dataset.upload === undefined) {
      zone?.querySelector('.drop-name')?.remove();
      if (name !== undefined) {
        const shown = document.createElement('span');
        shown.className = 'drop-name';
        shown.textContent = name;
        zone?.append(shown);
      }
      return;
    }
    zone?.classList.add(busyClass);
    void upload(target)
      .catch(() => undefined)
      .finally(() => zone?.classList.remove(busyClass));
  });
  for (const type of ['dragenter', 'dragover'])
    document.addEventListener(type, (event) => {
      const zone = zoneOf(event.target);
      if (!zone) return;
      event.preventDefault();
      zone.classList.add('drop-over');
    });
  for (const type of ['dragleave', 'drop'])
    document.addEventListener(type, ({ target }) => zoneOf(target)?.classList.remove('drop-over'));
  document.addEventListener('drop', (event) => {
    const field = zoneOf(event.target)?.querySelector<HTMLInputElement>('input[type=file]');
    if (!field || !event.dataTransfer) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** Chooses “your own color” when somebody picks one. */
export function installOwnColors(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.own-color')) return;
    const choice = target.previousElementSibling?.querySelector('input');
    if (choice) choice.checked = true;
    target.previousElementSibling?.querySelector('circle')?.setAttribute('fill', target.value);
  });
}
