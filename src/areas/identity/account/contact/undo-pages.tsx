import { accountPath } from '../../../../lib/site-paths.ts';
import { Form } from '../../../../platform/ui/components/form.tsx';
import type { Page } from '../../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';
import type { ContactKind } from './pending-contacts.ts';
import { undoPath } from './undo.ts';

const { page } = texts.undo;

/** Asks before restoring, because mail scanners follow links but press no buttons. */
export const undoPage = (token: string): Page => ({
  title: page.title,
  body: (
    <>
      <p safe>{page.lead}</p>
      <Form action={undoPath} values={{ token }} submit={{ label: page.submit, size: 'large' }} />
      <p class="hint" safe>
        {page.mine}
      </p>
    </>
  ),
});

/** Says what was restored, and what to look at next. */
export const undonePage = (kind: ContactKind): Page => ({
  title: texts.undo[kind].restored.headline,
  body: (
    <>
      <p safe>{page.done[kind]}</p>
      <p>
        <a href={`/login?next=${encodeURIComponent(accountPath)}`} safe>
          {page.signIn}
        </a>
      </p>
    </>
  ),
});
