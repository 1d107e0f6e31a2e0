export { createClient, type DispatcherClient, type DispatcherClientOptions } from './create-client.js';
export type { components, operations, paths } from './openapi.d.ts';
