import { describe, expect, it } from 'vitest';
import { auditActionNames, auditActorKinds } from '../../../src/areas/audit/actions.ts';
import type { AuditEventView } from '../../../src/areas/audit/schemas.ts';
import { reasonOf, sentenceOf } from '../../../src/surfaces/console/people/audit/activity.tsx';
import { subjectKey } from '../../../src/surfaces/console/people/audit/subjects.ts';

const ada = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const message = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
const hash = 'JkRRM1XLphe16MkfZtVw';

const entry = (change: Partial<AuditEventView>): AuditEventView => ({
  id: message,
  at: '2026-05-04T09:30:00.000Z',
  action: 'session.created',
  outcome: 'success',
  reason: null,
  actor: { kind: 'user', id: ada },
  target: { kind: 'user', id: ada },
  address: null,
  request_id: null,
  details: {},
  ...change,
});

const subjects = new Map([
  [subjectKey('user', ada), { name: 'Ada Moreau', href: '/users/ada' }],
  [subjectKey('contact_message', message), { name: 'Tobias <b>Lang', href: '/contact/1' }],
]);
const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
const said = (change: Partial<AuditEventView>): string =>
  wordsOf(String(sentenceOf(entry(change), subjects)));

describe('the sentence of an entry of the audit log', () => {
  it.each(auditActionNames)('says in words what %s was, whoever did it', (action) => {
    for (const kind of auditActorKinds)
      for (const target of [
        null,
        { kind: 'identifier', id: hash },
        { kind: 'odd_thing', id: ada },
      ]) {
        const text = said({
          action,
          actor: { kind, id: null },
          target,
          outcome: 'failure',
          reason: 'x.no_way',
        });
        expect(text).toMatch(/^[A-Z][^<>]* [^<>]+: no way$/);
        for (const raw of [action, hash, ada, '_']) expect(text).not.toContain(raw);
      }
  });

  it('names who did it, and to whom, with links to their pages', () => {
    const reply = { action: 'contact.replied', target: { kind: 'contact_message', id: message } };
    expect(said(reply)).toBe('Ada Moreau replied to the message from Tobias <b>Lang');
    const html = String(sentenceOf(entry(reply), subjects));
    expect(html).toContain('<a href="/users/ada">Ada Moreau</a>');
    expect(html).toContain('Tobias &lt;b&gt;Lang');
    expect(said({ action: 'user.profile_changed' })).toBe('Ada Moreau edited their profile');
    expect(said({ action: 'user.roles_changed', details: { to: ['admin'] } })).toContain(
      'to admin',
    );
    expect(
      said({ action: 'api_key.created', actor: { kind: 'api_key', id: 'env' }, target: null }),
    ).toBe('The admin key created something');
  });

  it('says why a code was refused, and nothing of a reason where it went well', () => {
    const refused = { action: 'otp.refused', outcome: 'failure', reason: 'limited' } as const;
    expect(said({ ...refused, actor: { kind: 'anonymous', id: null } })).toBe(
      'A code for Ada Moreau was requested but not sent: too many requests',
    );
    expect(reasonOf(entry({ reason: 'development' }))).toBeUndefined();
  });
});
