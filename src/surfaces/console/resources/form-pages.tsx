import type { Html } from '../../../lib/text/html.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { ConsoleForm, WordForm } from '../components/console-form.tsx';
import { FormAbout, TitledPoints } from '../components/form-about.tsx';
import { formPage } from '../components/form-page.tsx';
import { allFields } from '../forms/schema-fields.tsx';
import type { ConsolePage } from '../layout.tsx';
import { cellHtml, columnsOf, isEmpty, labelOf } from './entry-values.tsx';
import { isPerson, titleOf } from './entry-title.ts';
import { aboveEntry, aboveForm } from './resource-links.ts';
import { backPath, deletePath, resourcePath, sectionOf } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Of texts of several lines. */
const rows = 8;

/** What happens with the button of a form, where that is not plain. */
const pointsOf = ({ texts: { points } }: Resource, form: 'create' | 'update'): Html | undefined =>
  points?.[form] && <TitledPoints title={texts.entry.points[form]} items={points[form]} />;

/** The name of an entry in a sentence: people without quotes. */
const nameIn = (resource: Resource, entry: Entry): string =>
  isPerson(entry)
    ? titleOf(resource, entry)
    : texts.list.quoted({ text: titleOf(resource, entry) });

/** What is known of an entry, besides what a form changes. */
function aboutEntry(resource: Resource, entry: Entry, changed: readonly string[]): Html {
  const title = titleOf(resource, entry);
  const address = typeof entry.email === 'string' ? entry.email : undefined;
  const detail = address === title ? undefined : address;
  const isTitle = (member: string): boolean => entry[member] === title || entry[member] === address;
  const shown = columnsOf(resource).filter(
    (member) => !changed.includes(member) && !isTitle(member) && !isEmpty(entry[member]),
  );
  return (
    <FormAbout
      title={title}
      detail={detail}
      picture={address === undefined ? undefined : <Avatar name={title} />}
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
    breadcrumbs: aboveEntry(resource),
    about: pointsOf(resource, 'create'),
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
    title: texts.entry.editTitle({ name: nameIn(resource, entry) }),
    breadcrumbs: aboveForm(resource, entry),
    about: (
      <>
        {aboutEntry(resource, entry, Object.keys(update?.shape ?? {}))}
        {pointsOf(resource, 'update')}
      </>
    ),
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
    title: deleteTitle({ name: nameIn(resource, entry) }),
    breadcrumbs: aboveForm(resource, entry),
    about: aboutEntry(resource, entry, []),
    children: (
      <WordForm
        id="confirm-delete"
        action={deletePath(resource, entry.id)}
        word={word}
        warning={deleteWarning}
        points={resource.texts.points?.delete ?? []}
        submit={label({ one: resource.texts.one })}
        cancel={backPath(resource, entry.id)}
      />
    ),
  });
}
