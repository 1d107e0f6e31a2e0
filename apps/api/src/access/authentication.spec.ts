import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnauthorizedException } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { authenticateRequests } from './authentication.js';
import type { RequestWithCaller } from './caller.js';
import { presentedIn, type Presented } from './presented-key.js';

const KEY = { authorization: 'Bearer pnd_key' };

describe('authenticateRequests', () => {
  let server: FastifyInstance;
  /** The keys and sessions that were read from request headers. */
  let readings: (Presented | null)[];
  let counted: Presented[];
  let lookedUp: (Presented | null | undefined)[];

  beforeEach(() => {
    [readings, counted, lookedUp] = [[], [], []];
    server = fastify();
    authenticateRequests(
      server,
      {
        callerOf: async ({ presented }) => {
          lookedUp.push(presented);
          if (presented?.kind !== 'key') throw new UnauthorizedException();
        },
      },
      { count: async (_request, presented) => void counted.push(presented) },
      (headers) => {
        const presented = presentedIn(headers);
        readings.push(presented);
        return presented;
      },
    );
    server.post('/v1/events', async (request: RequestWithCaller) => ({ kind: request.presented?.kind }));
    server.get('/v1/me', async (request: RequestWithCaller) => ({ kind: request.presented?.kind ?? null }));
  });

  it('hashes an API key once per request, and gives the same hash to limits, look-up and handler', async () => {
    const answer = await server.inject({ method: 'POST', url: '/v1/events', headers: KEY, payload: {} });
    expect(answer.json()).toEqual({ kind: 'key' });
    expect(readings).toHaveLength(1);
    expect([...counted, ...lookedUp]).toEqual([readings[0], readings[0]]);
    expect(counted[0]).toBe(readings[0]);
    expect(lookedUp[0]).toBe(readings[0]);
  });

  it('leaves the look-up of the API key to the guard for a request without a body', async () => {
    expect((await server.inject({ url: '/v1/me', headers: KEY })).json()).toEqual({ kind: 'key' });
    expect([counted.length, lookedUp.length]).toEqual([1, 0]);
  });

  it('refuses a body without an API key before it is counted or parsed', async () => {
    const answer = await server.inject({ method: 'POST', url: '/v1/events', payload: '{' });
    expect(answer.statusCode).toBe(401);
    expect([counted, lookedUp]).toEqual([[], []]);
  });

  it('refuses a change with a session from another site and counts it against no limit', async () => {
    const headers = { cookie: '__Host-dispatcher_session=a.b.c', 'sec-fetch-site': 'cross-site' };
    expect((await server.inject({ method: 'POST', url: '/v1/events', headers })).statusCode).toBe(403);
    expect((await server.inject({ url: '/v1/me', headers })).json()).toEqual({ kind: 'session' });
    expect([counted.length, lookedUp.length]).toEqual([1, 0]);
  });
});
