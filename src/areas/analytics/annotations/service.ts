import { uuidv7 } from '../../../lib/ids.ts';
import { keysetPage } from '../../../lib/keyset-page.ts';
import { cancellable } from '../../../platform/database/database.ts';
import type { AuditActor } from '../../audit/service.ts';
import { type Annotation, type AnnotationPosition, annotationStore } from './store.ts';
import { analyticsErrors } from '../errors.ts';
import type { AnalyticsResources } from '../resources.ts';
import type {
  AnnotationListQuery,
  AnnotationPage,
  AnnotationView,
  UpdateAnnotationBody,
  CreateAnnotationBody,
} from './schemas.ts';
import { siteEntry } from '../sites/audit-entry.ts';
import { requireSite } from '../sites/sites.ts';

const maxPerSite = 10_000;

const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
const toCursor = ({ at, id }: AnnotationPosition) => `${at.getTime()}_${id}`;

function parseCursor(cursor: string): AnnotationPosition {
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

/** Manages annotations, which explain the figures of a site. */
export function createAnnotations({
  db,
  sites,
  audit,
  clock,
}: Pick<AnalyticsResources, 'db' | 'sites' | 'audit' | 'clock'>) {
  return {
    /** Throws `analytics.site_unknown`. */
    async listAnnotations(
      key: string,
      { from, to, limit, cursor }: AnnotationListQuery,
      signal?: AbortSignal,
    ): Promise<AnnotationPage> {
      const found = await annotationStore.list(cancellable(db, signal), {
        site: requireSite(sites, key).id,
        from: time(from),
        to: time(to),
        after: cursor === undefined ? undefined : parseCursor(cursor),
        limit: limit + 1,
      });
      const { data, next_cursor } = keysetPage(found, limit, toCursor);
      return { data: data.map((annotation) => toView(key, annotation)), next_cursor };
    },

    /** Throws `analytics.site_unknown`, `.too_many_annotations`. */
    async createAnnotation(
      key: string,
      { at, text }: CreateAnnotationBody,
      by: AuditActor,
    ): Promise<AnnotationView> {
      const { id: site } = requireSite(sites, key);
      const now = clock.now();
      const annotation: Annotation = {
        id: uuidv7(now),
        site,
        at: new Date(at),
        text,
        created_by: by.actor.id ?? by.actor.kind,
        created_at: new Date(now),
        updated_at: new Date(now),
      };
      await db.transaction().execute(async (transaction) => {
        if ((await annotationStore.count(transaction, site)) >= maxPerSite)
          throw analyticsErrors.too_many_annotations();
        await annotationStore.insert(transaction, annotation);
        const entry = siteEntry(
          'analytics.annotation_created',
          annotation.id,
          { site_id: key },
          by,
        );
        await audit.recordIn(transaction, [entry]);
      });
      return toView(key, annotation);
    },

    /** Changes the given fields. Throws `analytics.site_unknown`, `.annotation_unknown`. */
    async updateAnnotation(
      key: string,
      id: string,
      { at, text }: UpdateAnnotationBody,
      by: AuditActor,
    ): Promise<AnnotationView> {
      const site = requireSite(sites, key);
      const changes = {
        ...(at === undefined ? {} : { at: new Date(at) }),
        ...(text === undefined ? {} : { text }),
      };
      return db.transaction().execute(async (transaction) => {
        const updated = { ...changes, updated_at: new Date(clock.now()) };
        const row = await annotationStore.update(transaction, site.id, id, updated);
        if (row === undefined) throw analyticsErrors.annotation_unknown();
        const details = { site_id: key, fields: Object.keys(changes) };
        await audit.recordIn(transaction, [
          siteEntry('analytics.annotation_changed', id, details, by),
        ]);
        return toView(key, row);
      });
    },

    /** Throws `analytics.site_unknown`, `.annotation_unknown`. */
    async deleteAnnotation(key: string, id: string, by: AuditActor): Promise<void> {
      const site = requireSite(sites, key);
      await db.transaction().execute(async (transaction) => {
        if (!(await annotationStore.delete(transaction, site.id, id)))
          throw analyticsErrors.annotation_unknown();
        const entry = siteEntry('analytics.annotation_deleted', id, { site_id: key }, by);
        await audit.recordIn(transaction, [entry]);
      });
    },
  };
}
