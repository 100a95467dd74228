import { type Content, escapeHtml, type Html } from '../../lib/text/html.ts';

export interface RowOptions {
  /** Of its name, which buttons refer to. */
  id?: string;
  /** Before the text, such as the mark of a browser. */
  mark?: Html;
  name: string;
  /** Beside the name, such as a badge. */
  state?: Html | undefined;
  /** Below the name, in words or with times. */
  details?: Content;
  /** At the end. */
  actions?: Content;
}

/** One thing of the account in a line, with what can be done with it. */
export const Row = ({ id, mark, name, state, details, actions }: RowOptions): Html => (
  <li class="account-row">
    {mark !== undefined && <span class="account-mark">{mark}</span>}
    <div>
      <p id={id}>
        <strong>{escapeHtml(name)}</strong> {state}
      </p>
      {details !== undefined && <p class="hint">{details}</p>}
    </div>
    {actions !== undefined && <div class="btn-row">{actions}</div>}
  </li>
);

/** Rows below one another. */
export const Rows = ({ children }: { children?: Content }): Html => (
  <ul class="account-rows">{children}</ul>
);
