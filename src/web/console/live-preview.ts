import type { DeviceFetch } from './device-proof.ts';

/** How long nobody types before the picture is drawn. */
const pauseMs = 250;
/** The pause after a refusal that does not say how long. */
const refusedMs = 2000;

const forms = 'form[data-preview]';

const bodyOf = (form: HTMLFormElement): URLSearchParams =>
  new URLSearchParams(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

/** Replaces a part of the page by the first element of a response. */
export function replacePart(id: string, html: string): void {
  const part = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild;
  if (part?.id === id) document.getElementById(id)?.replaceWith(document.adoptNode(part));
}

/**
 * Draws what forms with `data-preview` describe while people type, into the part `data-into`: one
 * picture at a time, and always the newest. It never touches the fields.
 */
export function installLivePreviews(deviceFetch: DeviceFetch): void {
  const timers = new WeakMap<HTMLFormElement, ReturnType<typeof setTimeout>>();
  const drawing = new WeakSet<HTMLFormElement>();

  function schedule(form: HTMLFormElement, delayMs = pauseMs): void {
    clearTimeout(timers.get(form));
    timers.set(
      form,
      setTimeout(() => void draw(form).catch(() => undefined), delayMs),
    );
  }

  async function draw(form: HTMLFormElement): Promise<void> {
    if (drawing.has(form)) {
      schedule(form);
      return;
    }
    const { preview = '', into = '' } = form.dataset;
    drawing.add(form);
    try {
      const response = await deviceFetch(preview, {
        method: 'POST',
        body: bodyOf(form),
        accept: '*/*',
      });
      if (response.ok && response.status === 200) replacePart(into, await response.text());
      else if (response.status === 429 || response.status === 503)
        schedule(form, 1000 * Number(response.headers.get('retry-after')) || refusedMs);
    } finally {
      drawing.delete(form);
    }
  }

  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>(forms) : null;
    if (form) schedule(form);
  });
}
