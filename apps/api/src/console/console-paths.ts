/** The console's own paths, their first parts; `apps/console/src/app/router.tsx` has a page for each. */
export const CONSOLE_PATHS = [
  'sign-in',
  'deliveries',
  'payments',
  'events',
  'consumers',
  'bulk-actions',
  'reports',
  'audit',
  'api-keys',
] as const;
