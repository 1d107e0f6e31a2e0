import type { FastifyRequest } from 'fastify';

const INGEST = /^\/v1\/events(\/batch)?$/;

/** Whether this is what a producer posts; it may be repeated safely, and nothing else may. */
export const isIngest = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && INGEST.test(routeOptions.url ?? '');
