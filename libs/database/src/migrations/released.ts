/**
 * The migrations that have been released, each with the SHA-256 of its statements; a release adds those that it ships.
 * What stands here is never edited, and what comes after it runs while the release before still serves: CONTRIBUTING.md,
 * "Migrations", and test/integration/released-migrations.spec.ts, which fails otherwise.
 */
export const RELEASED: Readonly<Record<string, string>> = {};
