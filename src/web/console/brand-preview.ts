/** What the service says of an accent. */
interface Shades {
  /** Declarations of custom properties, separated by semicolons. */
  tokens: string;
  note: string;
}

const isShades = (value: unknown): value is Shades =>
  typeof value === 'object' && value !== null && 'tokens' in value && 'note' in value;

/** Shows what is typed into the form of the brand in the samples beside it. */
export function installBrandPreview(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-brand]');
  const preview = document.querySelector<HTMLElement>('#preview');
  if (form === null || preview === null) return;
  let latest = '';

  async function showAccent(accent: string): Promise<void> {
    latest = accent;
    const url = `${form?.dataset.brand ?? ''}?accent=${encodeURIComponent(accent)}`;
    const answer: unknown = await (await fetch(url)).json();
    if (latest !== accent || !isShades(answer)) return;
    for (const declaration of answer.tokens.split(';')) {
      const [name = '', value = ''] = declaration.split(/:(.*)/s);
      preview?.style.setProperty(name, value);
    }
    document.querySelector('#accent-note')?.replaceChildren(answer.note);
  }

  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const picker = document.querySelector<HTMLInputElement>('#accent-picker');
    const accent = document.querySelector<HTMLInputElement>('#accent');
    if (target === picker && accent !== null) accent.value = picker.value;
    if (target === picker || (target === accent && accent.checkValidity())) {
      if (picker !== null) picker.value = target.value.toLowerCase();
      void showAccent(target.value).catch(() => undefined);
    }
    if (target === picker) return;
    for (const part of preview.querySelectorAll(`[data-preview="${CSS.escape(target.name)}"]`))
      part.textContent = target.value === '' ? target.placeholder : target.value;
  });
}
