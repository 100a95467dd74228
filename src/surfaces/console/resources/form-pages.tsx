import { capitalized } from '../../../lib/text/case.ts';
import type { Html } from '../../../lib/text/html.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import type { NavLink } from '../../../platform/ui/components/navigation.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { ConsoleForm, WordForm } from '../components/console-form.tsx';
import { FormAbout } from '../components/form-about.tsx';
import { formPage } from '../components/form-page.tsx';
import { allFields } from '../forms/schema-fields.tsx';
import type { ConsolePage } from '../layout.tsx';
import { cellHtml, columnsOf, isEmpty, labelOf } from './entry-values.tsx';
import { titleOf } from './entry-title.ts';
import { backPath, deletePath, entryPath, resourcePath, sectionOf } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Of texts of several lines. */
const rows = 8;

/** The page of the list, above all others of a resource. */
const listLink = (resource: Resource): NavLink => ({
  href: resourcePath(resource),
  text: capitalized(resource.texts.many),
});

/** The pages above a form about an entry. */
const above = (resource: Resource, entry: Entry): NavLink[] =>
  resource.entryPage === undefined
    ? [listLink(resource)]
    : [listLink(resource), { href: entryPath(resource, entry.id), text: titleOf(resource, entry) }];

/** What is known of an entry, besides what a form changes. */
function aboutEntry(resource: Resource, entry: Entry, changed: readonly string[]): Html {
  const title = titleOf(resource, entry);
  const isTitle = (member: string): boolean => entry[member] === title;
  const shown = columnsOf(resource).filter(
    (member) => !changed.includes(member) && !isTitle(member) && !isEmpty(entry[member]),
  );
  return (
    <FormAbout
      title={title}
      picture={typeof entry.email === 'string' ? <Avatar name={entry.email} /> : undefined}
      facts={shown.map((member) => ({
        name: labelOf(resource, member),
        value: cellHtml(resource, entry, member),
      }))}
    />
  );
}

/** The form for a new entry. Its drawer opens over the list. */
export function newEntryPage(resource: Resource): ConsolePage {
  const { create, texts: named } = resource;
  const label = texts.list.create({ one: named.one });
  return formPage({
    section: sectionOf(resource),
    title: label,
    breadcrumbs: [listLink(resource)],
    children: create && (
      <ConsoleForm
        action={resourcePath(resource)}
        submit={{ label }}
        cancel={resourcePath(resource)}
      >
        {allFields(create, { texts: named, idPrefix: 'new', rows })}
      </ConsoleForm>
    ),
  });
}

/** The form that changes an entry. */
export function editEntryPage(resource: Resource, entry: Entry): ConsolePage {
  const { update, texts: named } = resource;
  return formPage({
    section: sectionOf(resource),
    title: texts.entry.editTitle({ one: named.one }),
    breadcrumbs: above(resource, entry),
    about: aboutEntry(resource, entry, Object.keys(update?.shape ?? {})),
    children: update && (
      <ConsoleForm
        action={`${resourcePath(resource)}/${entry.id}`}
        submit={{ label: texts.entry.save }}
        cancel={backPath(resource, entry.id)}
      >
        {allFields(update, { texts: named, entry, idPrefix: 'edit', rows })}
      </ConsoleForm>
    ),
  });
}

/** The form that deletes an entry, after a word was typed. */
export function deleteEntryPage(resource: Resource, entry: Entry): ConsolePage {
  const { delete: label, deleteTitle, deleteWarning, word } = texts.entry;
  return formPage({
    section: sectionOf(resource),
    title: deleteTitle({ name: titleOf(resource, entry) }),
    breadcrumbs: above(resource, entry),
    about: aboutEntry(resource, entry, []),
    children: (
      <WordForm
        id="confirm-delete"
        action={deletePath(resource, entry.id)}
        word={word}
        warning={deleteWarning}
        submit={label({ one: resource.texts.one })}
        cancel={backPath(resource, entry.id)}
      />
    ),
  });
}
