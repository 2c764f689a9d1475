import type { Route } from '../route.ts';

// What belongs to no screen: the stream that says what became old, and what is computed aside.

export const ownRoutes: readonly Route[] = [
  { method: 'GET', path: '/stream', act: 'read', weight: 'light', handle: async () => ({ listens: true }) },
  {
    ...{ method: 'GET', path: '/work/:id', act: 'read', weight: 'light' },
    handle: async ({ works, params: { id = '' }, visitor }) => works.fetch(id, visitor),
  },
  {
    ...{ method: 'POST', path: '/work/:id/stop', act: 'read', weight: 'light' },
    handle: async ({ works, params: { id = '' }, visitor }) => works.stop(id, visitor),
  },
];
