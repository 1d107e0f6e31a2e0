/** The unit tests. What needs servers or processes runs on Vitest: test/vitest.config.ts. */
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['app-source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  setupFiles: ['reflect-metadata'],
  testMatch: ['<rootDir>/{apps,libs,packages}/*/src/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  maxWorkers: 2,
  // A worker without an open handle still needs more than Jest's half second to unload on a busy machine; one that
  // leaks is reported all the same.
  workerGracefulExitTimeout: 10_000,
  // For a starved machine: most of these tests take milliseconds.
  testTimeout: 60_000,
};
