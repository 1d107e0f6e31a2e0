/** The version of the product; a release raises it with the places that test/version.spec.ts names. */
export const VERSION = '1.0.0';
