import { defineResource } from '../../../platform/resource/resource.ts';
import { CreateUserBody, UpdateUserBody, userFilters, UserView } from './schemas.ts';
import { texts } from './texts/en.ts';

/** Users, v1. */
export const userResource = defineResource({
  name: 'users',
  type: 'User',
  path: '/api/v1/users',
  tag: 'users',
  scope: 'admin',
  freshFor: 'changes',
  view: UserView,
  create: CreateUserBody,
  update: UpdateUserBody,
  filters: userFilters,
  sorts: ['-created_at', 'name'],
  searches: 'names, email addresses and phone numbers',
  notFound: 'users.not_found',
  errors: {
    create: ['users.taken', 'users.review_account'],
    update: [
      'users.own_account',
      'users.last_admin',
      'users.external_id_taken',
      'users.review_account',
    ],
    delete: ['users.own_account', 'users.last_admin'],
  },
  detailsOnly: ['external_id'],
  needsOneOf: ['email', 'phone'],
  consolePage: 'users',
  texts: texts.users,
});
