import type { FastifyRequest } from 'fastify';

const INGEST = /^\/v1\/events(\/batch)?$/;

/** Whether a request posts events. Of the requests that change something, only these can be repeated safely. */
export const isIngest = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && INGEST.test(routeOptions.url ?? '');
