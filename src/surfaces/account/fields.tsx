import { type Attributes, type Html } from '../../lib/text/html.ts';

export interface Field {
  /** Also its id. */
  name: string;
  label: string;
  hint: string;
  /** Error message, shown beside it. */
  error: string | undefined;
  value?: string;
  /** Attributes beyond the usual ones. */
  attributes: Attributes;
}

/** A labelled input; screen readers read its hint and error with it. */
export function field({ name, label, hint, error, value = '', attributes }: Field): Html {
  const describedBy = error === undefined ? `${name}-hint` : `${name}-error ${name}-hint`;
  return (
    <>
      <label for={name} safe>
        {label}
      </label>
      <p class="hint" id={`${name}-hint`} safe>
        {hint}
      </p>
      {error === undefined ? undefined : (
        <p class="error" id={`${name}-error`} safe>
          {error}
        </p>
      )}
      <input
        id={name}
        name={name}
        type="text"
        value={value}
        required
        autofocus
        autocapitalize="none"
        spellcheck="false"
        aria-describedby={describedBy}
        {...(error === undefined ? undefined : { 'aria-invalid': 'true' })}
        {...attributes}
      />
    </>
  );
}

/** Hidden inputs for values that a form passes on. */
export function hidden(values: Readonly<Record<string, string>>): Html {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A form with a single button. */
export const buttonForm = (
  action: string,
  text: string,
  values: Readonly<Record<string, string>> = {},
  isSecond = true,
): Html => (
  <form method="post" action={action}>
    {hidden(values)}
    <button {...(isSecond ? { class: 'second' } : undefined)} safe>
      {text}
    </button>
  </form>
);
