/** Words for users, for the console and the API reference. */
export const texts = {
  users: {
    one: 'a user',
    many: 'users',
    description: 'People with an account, including accounts created by an admin.',
    fields: {
      id: 'Id',
      name: 'Name',
      email: 'Email',
      email_verified: 'Email verified',
      phone: 'Phone',
      phone_verified: 'Phone verified',
      roles: 'Roles',
      role: 'Role',
      disabled: 'Disabled',
      external_id: 'External id',
      created_at: 'Created',
      last_seen_at: 'Last seen',
    },
    none: 'No users yet.',
  },
};
