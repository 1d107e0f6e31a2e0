/** First segments of the console's paths; `apps/console/src/app/router.tsx` has the pages. */
export const CONSOLE_PATHS = [
  'sign-in',
  'deliveries',
  'payments',
  'events',
  'consumers',
  'issues',
  'channels',
  'portal',
  'bulk-actions',
  'reports',
  'audit',
  'api-keys',
] as const;
