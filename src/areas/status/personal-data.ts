import {
  type AreaPersonalData,
  isAddressOf,
  isMailboxOf,
  personalRows,
} from '../../platform/database/personal-data.ts';

export const statusPersonalData: AreaPersonalData = {
  area: 'status',
  rows: [
    personalRows({
      table: 'status_subscribers',
      title: 'status_subscriptions',
      about: 'Subscriptions to the status page with your email addresses.',
      names: ['email'],
      of: (person) => isAddressOf('email', person),
      shows: ['email', 'created_at', 'confirmed_at', 'last_asked_at'],
      key: 'id',
      onDeletion: { action: 'delete', of: (person) => isMailboxOf('email', person) },
    }),
  ],
  namesNobody: {
    'status_components.group_name': 'the name of a group of such parts',
    'status_components.name': 'the name of a part of the service',
    'status_incidents.name': 'the title of an incident',
  },
};
