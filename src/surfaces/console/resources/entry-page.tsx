import type { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { allFields } from '../forms/schema-fields.tsx';
import { labelOf, memberHtml } from './entry-values.tsx';
import { recordsPath, resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.entry;
/** The name of an entry: its first short text. */
function titleOf({ view, texts: { one } }: Resource, entry: Entry): string {
  const name = Object.keys(view.shape).find(
    (member) => member !== 'id' && typeof entry[member] === 'string' && entry[member] !== '',
  );
  const text = name === undefined ? undefined : entry[name];
  return typeof text === 'string' ? text.slice(0, 80) : capitalized(one);
}

function editCard(resource: Resource, entry: Entry): Html | undefined {
  const { update } = resource;
  return (
    update && (
      <Card id="edit" title={words.edit}>
        <ConsoleForm
          action={`${resourcePath(resource)}/${entry.id}`}
          submit={{ label: words.save }}
        >
          {allFields(update, { texts: resource.texts, entry, idPrefix: 'edit', rows: 8 })}
        </ConsoleForm>
      </Card>
    )
  );
}

const deleteForm = (resource: Resource, { id }: Entry): Html | undefined =>
  resource.canDelete === false ? undefined : (
    <ConfirmForm
      id="confirm-delete"
      action={`${resourcePath(resource)}/${id}/delete`}
      open={words.delete({ one: resource.texts.one })}
      word={words.word}
      warning={words.deleteWarning}
      submit={words.delete({ one: resource.texts.one })}
    />
  );

const linkOf = ({ entryLink }: Resource, { id }: Entry): Html | undefined =>
  entryLink && <Button label={entryLink.text} href={`${consolePath}${entryLink.path}?id=${id}`} />;

/** An entry with all its members, and forms to change and delete it. */
export function entryPage(resource: Resource, entry: Entry, done: string | undefined): ConsolePage {
  const { texts: named, view } = resource;
  return {
    section: 'records',
    title: titleOf(resource, entry),
    breadcrumbs: [
      { href: recordsPath, text: texts.index.title },
      { href: resourcePath(resource), text: capitalized(named.many) },
    ],
    actions: linkOf(resource, entry),
    notice: doneNotice(texts.notices, done),
    body: (
      <>
        <Card id="details" title={words.details}>
          <Facts
            facts={Object.keys(view.shape).map((member) => ({
              name: labelOf(resource, member),
              value: memberHtml(resource, entry, member),
            }))}
          />
        </Card>
        {editCard(resource, entry)}
        {deleteForm(resource, entry)}
      </>
    ),
  };
}

/** What creating an entry returned, where that is shown only once. */
export const createdPage = (
  resource: Resource,
  created: z.ZodObject,
  entry: Entry,
): ConsolePage => ({
  section: 'records',
  title: titleOf(resource, entry),
  breadcrumbs: [
    { href: recordsPath, text: texts.index.title },
    { href: resourcePath(resource), text: capitalized(resource.texts.many) },
  ],
  notice: <Toast text={words.shownOnce} />,
  body: (
    <Card id="details" title={words.details}>
      <Facts
        facts={Object.keys(created.shape).map((member) => ({
          name: labelOf(resource, member),
          value: memberHtml({ ...resource, view: created }, entry, member),
        }))}
      />
    </Card>
  ),
});
