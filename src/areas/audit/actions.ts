/** The recorded actions and what they mean. The documentation lists these lines. */
export const auditActions = {
  'session.created': 'Somebody signed in.',
  'session.revoked': 'A session was ended before its time.',
  'session.revoked_all': 'All sessions of a user were ended.',
  'token.refreshed': 'A refresh token was exchanged for a new pair of tokens.',
  'token.reuse_detected': 'A refresh token was used a second time: its session was ended.',
  'otp.sent': 'A one-time code was sent.',
  'otp.refused': 'A one-time code was asked for and not sent.',
  'otp.verified': 'A one-time code was entered and was right.',
  'otp.failed': 'A one-time code was entered and was not right.',
  'otp.locked': 'Too many wrong codes: no more are accepted for a while.',
  'otp.closed':
    'After too many guesses in a row no codes are sent to this identifier, or accepted, ' +
    'until they are reopened.',
  'otp.reopened':
    'The codes of an identifier were switched on again: by an admin, or because the person ' +
    'came in another way.',
  'identity.linked': 'An address, number or outside account became a way to sign in as a user.',
  'user.created': 'A user was made.',
  'user.disabled': 'A user was shut out.',
  'user.enabled': 'A user who was shut out was let in again.',
  'user.roles_changed': 'The roles of a user were changed.',
  'idp.started': 'A sign-in at an outside identity provider began.',
  'idp.completed': 'A sign-in at an outside identity provider came back and was accepted.',
  'idp.failed': 'A sign-in at an outside identity provider came back and was not accepted.',
  'dev_bypass.used': 'The sign-in for development was used.',
  'first_admin.created': 'The first admin was made with the one-time link.',
  'second_factor.enrolled': 'A user added a second factor.',
  'second_factor.removed': 'A second factor of a user was taken away.',
  'second_factor.verified': 'A second factor was given and was right.',
  'second_factor.failed': 'A second factor was given and was not right.',
  'backup_codes.generated': 'A user got new backup codes; the old ones ended.',
  'backup_code.used': 'A backup code was used up.',
  'webhook.received': 'A webhook came and was accepted.',
  'webhook.refused': 'A webhook came and was not accepted.',
  'webhook.retried': 'A webhook whose handling had failed is handled again.',
  'api_key.created': 'An API key was made.',
  'api_key.revoked': 'An API key was ended.',
  'device.requested': 'A device asked for clearance.',
  'device.cleared': 'Clearance was given to a device.',
  'device.denied': 'Clearance was refused to a device.',
  'device.suspended': 'The clearance of a device was suspended: by a risk rule, or a person.',
  'device.restored': 'A suspended device was cleared again.',
  'device.expired': 'The clearance of a device, or its request, ended with time.',
  'device.revoked': 'A device was removed for good; its sessions ended.',
  'device.changed': 'A device got another name, or a stronger binding.',
  'device.flagged': 'Something about a device was noticed. The reason names the rule.',
  'status.component_created': 'A component was added to the status page.',
  'status.component_changed': 'A component of the status page was changed.',
  'status.component_archived': 'A component was taken off the status page.',
  'status.subscriber_removed': 'An address was taken off the updates of the status page.',
  'status.incident_created':
    'An incident was opened on the status page, or the service noted that it had not been running.',
  'status.incident_changed': 'Name, impact or components of an incident were changed.',
  'status.incident_updated': 'Something was said about an incident.',
  'status.incident_resolved': 'An incident was declared over.',
  'status.incident_deleted': 'An incident was deleted with everything that was said about it.',
  'status.maintenance_scheduled': 'Maintenance was announced.',
  'status.maintenance_changed': 'Name, times or components of a maintenance were changed.',
  'status.maintenance_updated': 'Something was said about a maintenance.',
  'status.maintenance_started': 'Maintenance began, by hand or at its time.',
  'status.maintenance_completed': 'Maintenance ended, by hand or at its time.',
  'status.maintenance_deleted': 'A maintenance was deleted with everything that was said about it.',
  'deliverability.zone_created': 'A delivery zone was created.',
  'deliverability.zone_changed': 'A delivery zone was changed or replaced.',
  'deliverability.zone_deleted': 'A delivery zone was deleted.',
  'deliverability.zones_imported':
    'Many delivery zones were created, replaced or deleted together.',
  'signup.removed': 'A signup was deleted.',
  'analytics.site_registered': 'A site was registered by an admin.',
  'analytics.site_changed': 'Settings of a site were changed, or it was closed or opened.',
  'analytics.goal_created': 'A goal was added to a site.',
  'analytics.goal_changed': 'A goal of a site got another name.',
  'analytics.goal_deleted': 'A goal of a site was deleted.',
  'analytics.funnel_created': 'A funnel was added to a site.',
  'analytics.funnel_changed': 'A funnel of a site got another name.',
  'analytics.funnel_deleted': 'A funnel of a site was deleted.',
  'analytics.annotation_created': 'A note was added to the figures of a site.',
  'analytics.annotation_changed': 'A note beside the figures of a site was changed.',
  'analytics.annotation_deleted': 'A note beside the figures of a site was deleted.',
  'analytics.share_created': 'A link was made that shows the figures of a site to who has it.',
  'analytics.share_revoked': 'A link to the figures of a site was ended.',
  'analytics.report_created': 'The figures of a site are sent to an address from now on.',
  'analytics.report_deleted': 'The figures of a site are not sent to an address any more.',
  'analytics.report_tested': 'The figures of a site were sent to an address once, to try it.',
  'jobs.retried': 'Background jobs that had failed were queued again.',
  'jobs.cancelled': 'Background jobs were taken away before they were done.',
} as const satisfies Readonly<Record<string, string>>;

export type AuditAction = keyof typeof auditActions;

/** `denied`: refused before it was attempted. */
export const auditOutcomes = ['success', 'failure', 'denied'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** `system`: the service itself; `anonymous`: nobody was authenticated. */
export const auditActorKinds = ['user', 'api_key', 'system', 'anonymous'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

export const auditActionNames: readonly string[] = Object.keys(auditActions);

/** `session.*`, `otp.*`, … */
export const auditActionGroups: readonly string[] = [
  ...new Set(auditActionNames.map((name) => name.replace(/\..*$/, '.*'))),
];

/** The actions that a name or a group such as `session.*` matches. */
export function actionsMatching(pattern: string): readonly string[] {
  if (!pattern.endsWith('.*')) return [pattern];
  return auditActionNames.filter((name) => name.startsWith(pattern.slice(0, -1)));
}
