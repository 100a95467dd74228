import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';

export interface SaveBarOptions {
  label: string;
  /** Beside the button: when a change applies. */
  note?: string | undefined;
}

/** The one button of a long form. It stays in sight at the end of the screen. */
export const SaveBar = ({ label, note }: SaveBarOptions): Html => (
  <div class="save-bar">
    <Button label={label} kind="primary" />
    {note !== undefined && <span class="hint">{escapeHtml(note)}</span>}
  </div>
);
