import { sql } from 'kysely';
import {
  type AreaPersonalData,
  deletedUser,
  isAddressOf,
  isMailboxOf,
  isUser,
  personalRows,
} from '../../platform/database/personal-data.ts';

const created = isUser('created_by');
const withoutCreator = (what: string) =>
  ({
    action: 'clear',
    set: { created_by: sql`${deletedUser}` },
    keeps: `${what} without your id, because they belong to the site.`,
  }) as const;

/** Events name nobody: see the guide to analytics. */
export const analyticsPersonalData: AreaPersonalData = {
  area: 'analytics',
  rows: [
    personalRows({
      table: 'analytics_reports',
      title: 'reports_to_you',
      about: 'Site reports that are emailed to your addresses.',
      names: ['email'],
      of: (person) => isAddressOf('email', person),
      shows: ['site', 'email', 'frequency', 'timezone', 'created_at', 'unsubscribed_at'],
      key: 'id',
      onDeletion: { action: 'delete', of: (person) => isMailboxOf('email', person) },
    }),
    personalRows({
      table: 'analytics_reports',
      title: 'reports_you_created',
      about: 'Email reports that you set up, without their recipients.',
      names: ['created_by'],
      of: created,
      shows: ['site', 'frequency', 'timezone', 'created_at'],
      key: 'id',
      onDeletion: withoutCreator('Reports that you set up for others,'),
    }),
    personalRows({
      table: 'analytics_shares',
      title: 'share_links_you_created',
      about: 'Share links that you created for sites.',
      names: ['created_by'],
      of: created,
      shows: ['site', 'name', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
      key: 'id',
      onDeletion: withoutCreator('Share links that you created,'),
    }),
    personalRows({
      table: 'annotations',
      title: 'annotations_you_created',
      about: 'Notes that you added to site figures.',
      names: ['created_by'],
      of: created,
      shows: ['site', 'at', 'text', 'created_at', 'updated_at'],
      key: 'id',
      onDeletion: withoutCreator('Notes that you added to figures,'),
    }),
  ],
  namesNobody: {
    'sites.registered_by': '`open` or `admin`, not a person',
    'goals.name': 'the name of a goal',
    'funnels.name': 'the name of a funnel',
  },
};
