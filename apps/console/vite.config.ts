import { defaultClientConditions, defineConfig } from 'vite';

/** Every path is relative to this folder. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  resolve: { conditions: ['app-source', ...defaultClientConditions] },
  // The api puts each answer's own nonce in its place: apps/api/src/console/serve-console.ts.
  html: { cspNonce: 'CSP_NONCE_PLACEHOLDER' },
  build: {
    outDir: '../../dist/apps/console/public',
    emptyOutDir: true,
    // Browsers of 2024 on, the first that know `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy admits no code or font inside a URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    // `use client` means nothing here; every module of the component library begins with it.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  // `npm run start:console`: the pages from here, everything else from an api on its usual port.
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': 'http://127.0.0.1:3000' },
  },
});
