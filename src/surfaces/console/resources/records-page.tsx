import { capitalized } from '../../../lib/text/case.ts';
import { escapeHtml } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import { actionList } from '../actions/action-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import { resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** All resources, each with what it is, and the operations besides them. */
export const recordsPage = (
  resources: readonly Resource[],
  operations: readonly BoundOperation[],
): ConsolePage => ({
  section: 'records',
  title: texts.index.title,
  body: (
    <>
      <p class="lead" safe>
        {texts.index.lead}
      </p>
      {resources.map((resource) => (
        <Card
          id={resource.name}
          title={capitalized(resource.texts.many)}
          actions={
            <Button
              label={texts.index.open({ many: resource.texts.many })}
              href={resourcePath(resource)}
              size="small"
            />
          }
        >
          <p>{escapeHtml(resource.texts.description)}</p>
        </Card>
      ))}
      {operations.length > 0 && actionList(operations)}
    </>
  ),
});
