import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { keysetPage } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { type Annotation, type AnnotationPosition, annotationStore } from './annotation-store.ts';
import { analyticsErrors } from '../errors.ts';
import type {
  AnnotationListQuery,
  AnnotationPage,
  AnnotationView,
  UpdateAnnotationBody,
  CreateAnnotationBody,
} from './schemas.annotations.ts';
import type { Site, Sites } from '../sites/sites.ts';

const mostOfSite = 10_000;

const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
const cursorOf = ({ at, id }: AnnotationPosition) => `${at.getTime()}_${id}`;

function placeOf(cursor: string): AnnotationPosition {
  const [at = '', id = ''] = cursor.split('_');
  return { at: new Date(Number(at)), id };
}

const toView = (
  key: string,
  { id, at, text, created_by, created_at, updated_at }: Annotation,
): AnnotationView => ({
  id,
  site_id: key,
  at: at.toISOString(),
  text,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** Notes of what happened, to be read beside the figures of a site. */
export function createAnnotations({
  db,
  sites,
  audit,
  clock,
}: {
  db: Database;
  sites: Pick<Sites, 'peek'>;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
}) {
  function siteOf(key: string): Site {
    const site = sites.peek(key);
    if (site === undefined) throw analyticsErrors.site_unknown();
    return site;
  }

  const note = (
    transaction: Database,
    action: `analytics.annotation_${'created' | 'changed' | 'deleted'}`,
    { key }: Site,
    id: string,
    by: AuditActor,
    details: Record<string, unknown> = {},
  ) =>
    audit.recordIn(transaction, [
      {
        ...by,
        action,
        target: { kind: 'analytics_annotation', id },
        details: { site_id: key, ...details },
      },
    ]);

  return {
    /** Throws `analytics.site_unknown`. */
    async listAnnotations(
      key: string,
      { from, to, limit, cursor }: AnnotationListQuery,
      signal?: AbortSignal,
    ): Promise<AnnotationPage> {
      const found = await annotationStore.list(cancellable(db, signal), {
        site: siteOf(key).id,
        from: time(from),
        to: time(to),
        after: cursor === undefined ? undefined : placeOf(cursor),
        most: limit + 1,
      });
      const { data, next_cursor } = keysetPage(found, limit, cursorOf);
      return { data: data.map((annotation) => toView(key, annotation)), next_cursor };
    },

    /** Throws `analytics.site_unknown`, `.too_many_annotations`. */
    async createAnnotation(
      key: string,
      { at, text }: CreateAnnotationBody,
      by: AuditActor,
    ): Promise<AnnotationView> {
      const site = siteOf(key);
      const now = clock.now();
      const annotation: Annotation = {
        id: uuidv7(now),
        site: site.id,
        at: new Date(at),
        text,
        created_by: by.actor.id ?? by.actor.kind,
        created_at: new Date(now),
        updated_at: new Date(now),
      };
      await db.transaction().execute(async (transaction) => {
        if ((await annotationStore.count(transaction, site.id)) >= mostOfSite)
          throw analyticsErrors.too_many_annotations();
        await annotationStore.insert(transaction, annotation);
        await note(transaction, 'analytics.annotation_created', site, annotation.id, by);
      });
      return toView(key, annotation);
    },

    /** Changes what is given. Throws `analytics.site_unknown`, `.annotation_unknown`. */
    async updateAnnotation(
      key: string,
      id: string,
      { at, text }: UpdateAnnotationBody,
      by: AuditActor,
    ): Promise<AnnotationView> {
      const site = siteOf(key);
      const changed = await db.transaction().execute(async (transaction) => {
        const changes = {
          ...(at === undefined ? {} : { at: new Date(at) }),
          ...(text === undefined ? {} : { text }),
        };
        const row = await annotationStore.change(transaction, site.id, id, {
          ...changes,
          updated_at: new Date(clock.now()),
        });
        if (row === undefined) throw analyticsErrors.annotation_unknown();
        await note(transaction, 'analytics.annotation_changed', site, id, by, {
          fields: Object.keys(changes),
        });
        return row;
      });
      return toView(key, changed);
    },

    /** Throws `analytics.site_unknown`, `.annotation_unknown`. */
    async deleteAnnotation(key: string, id: string, by: AuditActor): Promise<void> {
      const site = siteOf(key);
      await db.transaction().execute(async (transaction) => {
        if (!(await annotationStore.remove(transaction, site.id, id)))
          throw analyticsErrors.annotation_unknown();
        await note(transaction, 'analytics.annotation_deleted', site, id, by);
      });
    },
  };
}

export type Annotations = ReturnType<typeof createAnnotations>;
