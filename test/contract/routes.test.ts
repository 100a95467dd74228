import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import type { TestApp } from '../support/app.ts';
import { routeTable } from '../../src/platform/http/scopes.ts';
import { answered, later, type Method, type PromisedRoute } from './route-list.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

/** True when a route takes the request, even if it then demands a credential or a valid body. */
async function isAnswered(method: Method, url: string): Promise<boolean> {
  const { statusCode } = await app.http.inject({ method, url: url.replace(/:\w+/g, 'anything') });
  return statusCode !== 404 && statusCode !== 405;
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
const name = ([method, path]: PromisedRoute): string => `${method} ${path}`;

describe('the interface', () => {
  it.each(answered)(
    '%s %s is answered, with and without a slash at the end',
    async (method, path) => {
      expect([await isAnswered(method, path), await isAnswered(method, withSlash(path))]).toEqual([
        true,
        true,
      ]);
    },
  );

  it.each(answered.filter(([method]) => method === 'GET'))(
    '%s %s never redirects, with or without a slash at the end',
    async (method, path) => {
      for (const url of [path, withSlash(path)]) {
        const { statusCode } = await app.http.inject({ method, url });
        expect([301, 302, 307, 308]).not.toContain(statusCode);
      }
    },
  );

  it.each(later)(
    '%s %s is not answered yet (once it is, move it from `later` to `answered`)',
    async (method, path) => {
      expect([await isAnswered(method, path), await isAnswered(method, withSlash(path))]).toEqual([
        false,
        false,
      ]);
    },
  );

  it('is listed without duplicates', () => {
    const names = [...answered, ...later].map(name);
    expect(names.filter((each, index) => names.indexOf(each) !== index)).toEqual([]);
  });
});

describe('every route', () => {
  it('has a unique operation id, a tag and a scope, unless hidden from the reference', () => {
    const routes = routeTable(app.http).filter(({ operationId }) => operationId !== undefined);
    const ids = routes.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const { operationId, scope, tags } of routes) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]*(\.[a-z_A-Z]+)+$/);
      expect(scope).not.toBe('');
      expect(tags.length).toBeGreaterThan(0);
    }
  });

  it('is in the scope that guards it', () => {
    const scopes = new Map(
      routeTable(app.http).map(({ operationId, scope }) => [operationId ?? '', scope]),
    );
    expect(Object.fromEntries(scopes)).toMatchObject({
      'analytics.track_event': 'public',
      'analytics.track_batch': 'public',
      'analytics.track_pixel': 'public',
      'analytics.get_dashboard': 'analytics:read, approved device',
      'analytics.export_events': 'analytics:read, approved device',
      'analytics.list_sites': 'analytics:read, approved device',
      'analytics.get_site': 'analytics:read, approved device',
      'analytics.list_annotations': 'analytics:read, approved device',
      'analytics.get_retention': 'analytics:read, approved device',
      'analytics.create_site': 'admin, approved device',
      'analytics.update_site': 'admin, approved device',
      'analytics.create_annotation': 'admin, approved device',
      'analytics.update_annotation': 'admin, approved device',
      'analytics.delete_annotation': 'admin, approved device',
      'apiKeys.list': 'admin, approved device',
      'apiKeys.create': 'admin, approved device',
      'apiKeys.get': 'admin, approved device',
      'apiKeys.revoke': 'admin, approved device',
      'audit.list': 'admin, approved device',
      'blackops.status': 'public',
      'blackops.list_devices': 'signed-in',
      'blackops.approve_request': 'admin, approved device',
      'blackops.dashboard': 'admin, approved device',
    });
  });
});
