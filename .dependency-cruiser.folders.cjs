/**
 * Two folders never import each other, directly or through others; a folder and one inside it may. Read apart from the
 * other rules, since specs have to be left out: they import test/, which imports everything.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'folders-import-one-way',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps/(api|worker|console|standalone)|libs)/' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '(\\.spec\\.ts$|^test/|/testing/)' } },
};
