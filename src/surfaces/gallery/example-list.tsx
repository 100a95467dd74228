import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { EmptyState } from '../../platform/ui/components/feedback.tsx';
import { Field, Form, SelectField } from '../../platform/ui/components/form.tsx';
import { PageHead, Pager } from '../../platform/ui/components/navigation.tsx';
import { Dialog } from '../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../platform/ui/components/table.tsx';
import { texts } from './texts/en.ts';

export interface Project {
  name: string;
  owner: string;
  isActive: boolean;
}

export interface ProjectList {
  projects: readonly Project[];
  /** What the list was filtered by. */
  query: string;
  total: number;
}

const t = texts.exampleList;

const columns: readonly Column<Project>[] = [
  { title: t.name, text: ({ name }) => name },
  { title: t.owner, text: ({ owner }) => owner, isMinor: true },
  {
    title: t.state,
    cell: ({ isActive }) => (
      <Badge text={isActive ? t.active : t.archived} tone={isActive ? 'ok' : 'neutral'} />
    ),
  },
];

const newProjectForm = (path: string): Html => (
  <Dialog id="new-project" title={t.create} open={t.create} close={t.close}>
    <Form action={path} submit={{ label: t.create }}>
      <Field id="name" label={t.name} isRequired maxLength={80} />
      <SelectField id="state" label={t.state} options={[['active', t.active]]} />
    </Form>
  </Dialog>
);

/** A list with a filter, an empty state and a form: what a new page of the console needs. */
export const exampleList = ({ projects, query, total }: ProjectList, path: string): Html => (
  <>
    <PageHead title={t.title} actions={newProjectForm(path)} />
    <Form action={path} method="get" isInline submit={{ label: t.search, kind: 'secondary' }}>
      <Field id="q" type="search" label={t.filter} value={query} />
    </Form>
    <Table
      caption={t.title}
      columns={columns}
      rows={projects}
      empty={
        <EmptyState
          icon="search"
          text={query === '' ? t.none : t.noMatch({ query })}
          action={<Button label={t.showAll} href={path} />}
        />
      }
    />
    <p class="hint">{escapeHtml(t.count({ count: total }))}</p>
    <Pager
      label={t.pages}
      summary={t.range({ from: 1, to: projects.length, total })}
      previousLabel={t.previous}
      nextLabel={t.next}
    />
  </>
);
