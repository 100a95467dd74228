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
    hints: {
      email: 'They sign in with a code that we send to it.',
      phone: 'With its country code: +1 415 555 0132.',
      external_id: 'Your own id for the person. No two users have the same.',
    },
    points: {
      import: [
        'Accounts are created right away. We don’t email anyone.',
        'People sign in with a code that we send to their address or number.',
        'Rows whose address or number already has an account are skipped.',
      ],
    },
  },
};
