/** The recorded actions and what they mean. The documentation lists these lines. */
export const auditActions = {
  'session.created': 'A user signed in.',
  'session.revoked': 'A session was ended before it expired.',
  'session.revoked_all': 'All sessions of a user were ended.',
  'token.refreshed': 'A refresh token was exchanged for new tokens.',
  'token.reuse_detected': 'A refresh token was used twice. Its session was ended.',
  'otp.sent': 'A one-time code was sent.',
  'otp.refused': 'A one-time code was requested but not sent.',
  'otp.verified': 'A correct one-time code was entered.',
  'otp.failed': 'A wrong or expired one-time code was entered.',
  'otp.locked': 'Too many wrong codes were entered. No codes are accepted for a while.',
  'otp.closed':
    'Codes for an address or number were turned off after too many wrong attempts in a row.',
  'otp.reopened':
    'Codes for an address or number were turned on again, by an admin or because the user ' +
    'signed in another way.',
  'identity.linked': 'An email address, phone number or external account was linked to a user.',
  'identity.replaced': 'The email address or phone number of a user was replaced by another one.',
  'user.created': 'A user was created.',
  'user.sign_up_refused': 'A person without an account was refused by SIGN_UP.',
  'user.profile_changed': "A user's name, picture, language, time zone or external id was changed.",
  'user.export_requested': 'A user asked for a copy of their data.',
  'user.export_downloaded': 'A user downloaded the copy of their data.',
  'user.deletion_requested': 'A user asked to delete their account.',
  'user.deletion_canceled':
    'The deletion of an account was canceled, by its user or because the user is the only admin.',
  'user.deleted': 'An account was deleted, with its data.',
  'user.disabled': 'A user account was disabled.',
  'user.enabled': 'A user account was enabled.',
  'user.roles_changed': "A user's roles were changed.",
  'invitation.created': 'A person was invited.',
  'invitation.resent': 'An invitation was sent again with a new link.',
  'invitation.revoked': 'An invitation was revoked, or its inviter lost the admin role.',
  'invitation.accepted': 'An invitation was accepted.',
  'review_account.used': 'The fixed code of the review account was entered.',
  'idp.started': 'A sign-in with an identity provider was started.',
  'idp.completed': 'A sign-in with an identity provider succeeded.',
  'idp.failed': 'A sign-in with an identity provider failed.',
  'dev_bypass.used': 'The development sign-in was used.',
  'first_admin.created': 'The first admin was created with the one-time link.',
  'second_factor.enrolled': 'A user added a second factor.',
  'second_factor.removed': 'A second factor was removed from a user.',
  'second_factor.verified': 'A user passed the second-factor check.',
  'second_factor.failed': 'A user failed the second-factor check.',
  'factor_reset.requested': 'An admin asked to remove the second factors of a user.',
  'factor_reset.approved': 'A second admin approved a 2FA reset. It takes effect a day later.',
  'factor_reset.canceled': 'A 2FA reset was canceled. The reason says why.',
  'factor_reset.completed':
    'A 2FA reset took effect: factors were removed, sessions ended and devices revoked.',
  'factor_reset.expired': 'Nobody approved a 2FA reset within seven days.',
  'backup_codes.generated': 'A user created new backup codes. The old ones no longer work.',
  'backup_code.used': 'A user signed in with a backup code.',
  'webhook.received': 'A webhook was received and accepted.',
  'webhook.refused': 'A webhook was rejected.',
  'webhook.retried': 'A webhook that had failed was queued for retry.',
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
  'device.requested': 'Approval of a device was requested.',
  'device.cleared': 'A device was approved.',
  'device.denied': 'Approval of a device was denied.',
  'device.suspended': 'A device was suspended, by a risk rule or by a person.',
  'device.restored': 'A suspended device was restored.',
  'device.expired': 'The approval of a device, or the request for it, expired.',
  'device.revoked': 'A device was permanently removed and its sessions were ended.',
  'device.changed': 'A device was renamed, or bound more strongly.',
  'device.flagged': 'A risk rule matched on a device. The reason names the rule.',
  'status.component_created': 'A component was added to the status page.',
  'status.component_changed': 'A component of the status page was changed.',
  'status.component_archived': 'A component was removed from the status page.',
  'status.subscriber_removed': 'A subscriber was removed from status updates.',
  'status.incident_created':
    'An incident was opened, by a person or because the service had been down.',
  'status.incident_changed': 'The name, impact or components of an incident were changed.',
  'status.incident_updated': 'An update was posted on an incident.',
  'status.incident_resolved': 'An incident was resolved.',
  'status.incident_deleted': 'An incident was deleted with all its updates.',
  'status.maintenance_scheduled': 'Maintenance was scheduled.',
  'status.maintenance_changed': 'The name, times or components of maintenance were changed.',
  'status.maintenance_updated': 'An update was posted on maintenance.',
  'status.maintenance_started': 'Maintenance started, manually or on schedule.',
  'status.maintenance_completed': 'Maintenance ended, manually or on schedule.',
  'status.maintenance_deleted': 'Maintenance was deleted with all its updates.',
  'deliverability.zone_created': 'A delivery zone was created.',
  'deliverability.zone_changed': 'A delivery zone was changed or replaced.',
  'deliverability.zone_deleted': 'A delivery zone was deleted.',
  'deliverability.zones_imported': 'Delivery zones were created, replaced or deleted in bulk.',
  'contact.message_changed': 'The status or the assignment of a contact message was changed.',
  'contact.message_deleted': 'A contact message was deleted with its replies and notes.',
  'contact.replied': 'A contact message was answered by email.',
  'contact.note_added': 'A note was added to a contact message.',
  'contact.saved_reply_created': 'A saved reply was created.',
  'contact.saved_reply_changed': 'A saved reply was changed.',
  'contact.saved_reply_deleted': 'A saved reply was deleted.',
  'qr.code_created': 'A QR code was created.',
  'qr.batch_created': 'QR codes were created from a file.',
  'qr.code_changed': 'The target, the conditions or the style of a QR code were changed.',
  'qr.logo_added': 'A logo for QR codes was uploaded.',
  'qr.logo_deleted': 'A logo for QR codes was deleted.',
  'qr.code_deleted': 'A QR code was deleted. Its short link leads nowhere.',
  'signup.removed': 'A sign-up was deleted.',
  'waitlist.entry_added': 'An admin added a person to the waitlist.',
  'waitlist.entry_changed': 'An entry of the waitlist was changed.',
  'waitlist.entry_approved': 'A person on the waitlist was approved.',
  'waitlist.entry_denied': 'A person on the waitlist was denied.',
  'waitlist.entry_deleted': 'An entry of the waitlist was deleted.',
  'waitlist.left': 'A person left the waitlist. Their entry was deleted.',
  'waitlist.rebuilt': 'The scores of the waitlist were computed again.',
  'nfc.tag_created': 'An NFC tag was created.',
  'nfc.tag_changed': 'An NFC tag was changed.',
  'nfc.tag_reencoded': 'An NFC tag got new keys.',
  'nfc.tag_deleted': 'An NFC tag was deleted.',
  'nfc.keys_shown': 'The keys of an NFC tag were shown to an admin.',
  'nfc.key_rotated': 'A new master key for NFC tags was made.',
  'nfc.alarm_changed': 'An NFC alarm was marked as resolved, or opened again.',
  'analytics.site_registered': 'An admin added a site.',
  'analytics.site_changed': 'The settings of a site were changed, or it was closed or reopened.',
  'analytics.goal_created': 'A goal was added to a site.',
  'analytics.goal_changed': 'A goal of a site was renamed.',
  'analytics.goal_deleted': 'A goal of a site was deleted.',
  'analytics.funnel_created': 'A funnel was added to a site.',
  'analytics.funnel_changed': 'A funnel of a site was renamed.',
  'analytics.funnel_deleted': 'A funnel of a site was deleted.',
  'analytics.annotation_created': 'An annotation was added to a site.',
  'analytics.annotation_changed': 'An annotation of a site was changed.',
  'analytics.annotation_deleted': 'An annotation of a site was deleted.',
  'analytics.share_created': 'A share link for the figures of a site was created.',
  'analytics.share_revoked': 'A share link of a site was revoked.',
  'analytics.report_created': 'A recipient was added to the email reports of a site.',
  'analytics.report_deleted': 'A recipient was removed from the email reports of a site.',
  'analytics.report_tested': 'A test report of a site was sent.',
  'jobs.retried': 'Failed background jobs were queued for retry.',
  'jobs.cancelled': 'Background jobs were canceled.',
} as const satisfies Readonly<Record<string, string>>;

export type AuditAction = keyof typeof auditActions;

/** `denied`: refused before it was attempted. */
export const auditOutcomes = ['success', 'failure', 'denied'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** `system`: the service itself; `anonymous`: not authenticated. */
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
