const removeIt = 'If this wasn’t you, remove the device and sign out everywhere.';

export const texts = {
  device: 'Device',
  country: 'Where',
  at: 'When',
  review: 'Review devices',
  enrolled: {
    pending: {
      headline: 'New device awaiting approval',
      body: `A device signed in to your account and requested approval. ${removeIt}`,
    },
    cleared: {
      headline: 'New device approved',
      body: `The device can use your account for admin actions. ${removeIt}`,
    },
  },
  decided: {
    cleared: {
      headline: 'Your device was approved',
      body:
        'The device can now be used for admin actions. ' +
        'If you didn’t request this, remove the device and sign out everywhere.',
    },
    denied: {
      headline: 'Your device wasn’t approved',
      body:
        'The device can’t be used for admin actions. ' +
        'If you didn’t request this, remove the device and sign out everywhere.',
    },
  },
  suspended: {
    headline: 'Your device was suspended',
    byOwner: 'Your account was used to suspend the device.',
    byAdmin: 'An admin suspended the device. Only an admin can restore it.',
    restore: 'If this was you, restore the device with your second factor.',
  },
  restored: {
    headline: 'Your device was restored',
    body: `The device can be used for admin actions again. ${removeIt}`,
  },
  allRevoked: {
    headline: (p: { count: number }) =>
      p.count === 1 ? 'Your device was removed' : `${p.count} of your devices were removed`,
    body:
      'Devices are removed when you sign out everywhere, remove a second factor, ' +
      'or remove your other devices. If this wasn’t you, sign in and check your account.',
  },
  revoked: {
    headline: 'Your device was removed',
    body:
      'The device is signed out. ' +
      'To use it again, sign in and request approval as a new device.',
  },
};
