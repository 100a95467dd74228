import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { ReferenceFiles } from '../../../platform/openapi/swagger-files.ts';
import { linkTo } from '../../../platform/ui/link-to.tsx';
import type { SitePage } from '../../../platform/ui/pages.tsx';
import type { ApiDocument } from './openapi-document.ts';
import { formatted } from '../plain-text.tsx';
import { texts } from '../texts/en/reference.ts';
import { groupTags } from './resource-groups.ts';
import { tagPath, titleOf } from './tag-names.ts';

const { interactive } = texts;

/** The resources under their headings, as Swagger UI shows them: its place while it loads. */
const resourceList = (
  groups: ReturnType<typeof groupsOf>,
  { tags }: Pick<ApiDocument, 'tags'>,
): Html => (
  <div id="resources">
    {groups.map(({ title, tags: listed }) => (
      <section>
        <h2 class="tag-group">{escapeHtml(title)}</h2>
        <ul>
          {listed.map(([tag, name]) => (
            <li>
              <a href={tagPath(tag)}>{escapeHtml(name)}</a>
              <span>{formatted(tags.find((each) => each.name === tag)?.description ?? '')}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);

const groupsOf = ({ tags }: Pick<ApiDocument, 'tags'>) =>
  groupTags(tags.map(({ name }) => ({ tag: name, href: tagPath(name), text: titleOf(name) }))).map(
    ({ title, links }) => ({
      title,
      tags: links.map(({ href, text }) => [href.split('/').at(-1) ?? '', text] as const),
    }),
  );

/** Swagger UI in a page of the service. Until it is there, and without scripts: the resources. */
export const interactivePage = (document: ApiDocument, files: ReferenceFiles): SitePage => {
  const groups = groupsOf(document);
  return {
    title: interactive.title,
    path: '/api/docs',
    description: interactive.description,
    isWide: true,
    script: 'reference.js',
    styles: ['reference.css'],
    head: (
      <>
        <link rel="stylesheet" href={files.style} />
        <link rel="preload" as="fetch" crossorigin="anonymous" href="/api/openapi.json" />
        <script defer src={files.script}></script>
      </>
    ),
    body: (
      <>
        <p class="intro">
          {rich(interactive.intro, {
            reference: linkTo('/developer/reference'),
            openapi: linkTo('/api/openapi.json'),
          })}
        </p>
        {resourceList(groups, document)}
        <div id="swagger-ui" data-groups={JSON.stringify(groups)} hidden></div>
      </>
    ),
  };
};
