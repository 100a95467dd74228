import type { BrandReader } from '../../platform/brand/brand.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Scopes } from '../../platform/http/access.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import type { Layout } from '../../platform/ui/pages.tsx';
import type { Handshakes } from '../ws/guards.ts';
import type { Graphql } from './service.ts';

/** What the routes of GraphQL and its pages are made from. */
export interface RouteContext {
  brand: BrandReader;
  assets: Assets;
  deviceGuards: DeviceGuards;
  graphql: Graphql;
  guards: Guards;
  handshakes: Handshakes;
  layout: Layout;
  scopes: Scopes;
  /** The folder of the built scripts and styles. */
  webFolder: URL;
}
