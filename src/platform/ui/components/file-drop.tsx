import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon } from '../icon.tsx';

export interface FileDropOptions {
  id: string;
  /** Default: the file itself is not sent. */
  name?: string;
  label: string;
  /** Media types. */
  accept: string;
  /** Where the script sends the file at once. Default: it is sent with the form. */
  uploadTo?: string;
  /** Id of the part of the page that the response replaces. */
  into?: string;
  /** The name of a field of the form that takes the text of the file, which is then sent. */
  fills?: string;
  /** The name of a field of the form that takes the name of the file. */
  names?: string;
  /** The button that sends the file where no script runs. */
  without?: Content;
}

/** A place to drop a file, or to choose one. */
export const FileDrop = (options: FileDropOptions): Html => {
  const { id, name, label, accept, uploadTo, into, fills, names, without } = options;
  return (
    <div class="drop-zone">
      <label for={id}>
        <Icon name="upload" />
        {escapeHtml(label)}
      </label>
      <input
        id={id}
        name={name}
        type="file"
        accept={accept}
        data-upload={uploadTo}
        data-into={into}
        data-fills={fills}
        data-names={names}
      />
      {without !== undefined && <noscript>{without}</noscript>}
      <p class="drop-problem" role="alert" hidden></p>
    </div>
  );
};
