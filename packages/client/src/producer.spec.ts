import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createProducer, type ProducerOptions } from './producer.js';
import { event, problem, ScriptedApi, type Reply } from './testing/scripted-api.js';

function started(script: Reply[] = [], options: Partial<ProducerOptions> = {}) {
  const api = new ScriptedApi(script);
  const producer = createProducer({
    baseUrl: 'http://api.test',
    apiKey: 'key',
    fetch: api.fetch,
    lingerMs: 0,
    ...options,
  });
  return { api, producer };
}

/** The error of a call that must fail. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it was accepted',
    (error: unknown) => error,
  );

// Full jitter may choose no wait at all.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

describe('a producer', () => {
  it('sends events that are posted together in one request, and those posted meanwhile in the next', async () => {
    const { api, producer } = started();
    const first = ['a', 'b'].map((idempotencyKey) => producer.post(event(), { idempotencyKey }));
    void producer.flush();
    const second = ['c', 'd'].map((idempotencyKey) => producer.post(event(), { idempotencyKey }));
    await Promise.all([...first, ...second]);
    expect(api.requests).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])('repeats the same request after %d', async (status) => {
    const { api, producer } = started([{ kind: 'status', status }]);
    expect(await producer.post(event())).toMatchObject({ duplicate: false });
    expect(api.bodies).toHaveLength(2);
    expect(api.bodies[1]).toBe(api.bodies[0]);
  });

  it('repeats the same request after a lost answer, and reports the event as a duplicate', async () => {
    const { api, producer } = started([{ kind: 'lose' }]);
    expect(await producer.post(event())).toMatchObject({ duplicate: true });
    expect(api.accepted).toHaveLength(1);
    expect(api.accepted[0]).toMatch(/^[\da-f-]{36}$/);
  });

  it('repeats a request that is not answered within timeoutMs', async () => {
    const { api, producer } = started([{ kind: 'hang' }], { timeoutMs: 20 });
    await producer.post(event());
    expect(api.requests).toHaveLength(2);
  });

  it('sends in each try what the event was when it was posted', async () => {
    const { api, producer } = started([{ kind: 'status', status: 503 }]);
    const changing = event();
    const call = producer.post(changing);
    changing.eventDateTime = 'changed';
    await call;
    expect(api.bodies.join('')).not.toContain('changed');
  });

  it.each([301, 401, 403, 404, 405, 415])(
    'does not repeat a request that was answered with %d, and blames the request',
    async (status) => {
      const { api, producer } = started([{ kind: 'status', status }]);
      expect(await errorOf(producer.post(event(), { idempotencyKey: 'a' }))).toMatchObject({
        name: 'RefusedError',
        scope: 'request',
        status,
        detail: `HTTP ${String(status)}: The reason.`,
        requestId: problem(status).requestId,
        idempotencyKey: 'a',
      });
      expect(api.requests).toHaveLength(1);
    },
  );

  it.each([
    { what: '422 of the api', reply: { kind: 'status', status: 422 }, scope: 'event' },
    { what: '413 of a proxy', reply: { kind: 'status', status: 413, body: '<html>' }, scope: 'event' },
    { what: '400 of a proxy', reply: { kind: 'status', status: 400, body: '<html>' }, scope: 'request' },
  ] as const)('takes a $what as a refusal of the $scope', async ({ reply, scope }) => {
    const { producer } = started([reply]);
    expect(await errorOf(producer.post(event()))).toMatchObject({ name: 'RefusedError', scope });
  });

  it('gives up at once when Retry-After goes beyond the deadline, and names the idempotency key', async () => {
    const { api, producer } = started([{ kind: 'status', status: 503, headers: { 'retry-after': '61' } }]);
    expect(await errorOf(producer.post(event(), { idempotencyKey: 'a' }))).toMatchObject({
      name: 'UnavailableError',
      idempotencyKey: 'a',
      message: expect.stringMatching(/HTTP 503: The reason\./),
    });
    expect(api.requests).toHaveLength(1);
  });

  it('waits for Retry-After before it repeats a request', async () => {
    const { api, producer } = started([{ kind: 'status', status: 503, headers: { 'retry-after': '7' } }]);
    const waits: unknown[] = [];
    const { setTimeout: wait } = globalThis;
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms) => {
      waits.push(ms);
      return wait(work, 0);
    });
    await producer.post(event());
    spy.mockRestore();
    expect(waits).toContain(7_000);
    expect(api.requests).toHaveLength(2);
  });

  it('fails the waiting events with the one that could not be decided, so that none overtakes it', async () => {
    const { api, producer } = started(
      Array.from({ length: 500 }, (): Reply => ({ kind: 'hang' })),
      { timeoutMs: 20, deadlineMs: 50 },
    );
    const first = errorOf(producer.post(event(), { idempotencyKey: 'a' }));
    void producer.flush();
    const second = errorOf(producer.post(event(), { idempotencyKey: 'b' }));
    expect(await first).toMatchObject({ name: 'UnavailableError', idempotencyKey: 'a' });
    expect(await second).toMatchObject({ name: 'UnavailableError', idempotencyKey: 'b' });
    expect(api.requests.flat()).not.toContain('b');
  });

  it('does not send an event whose caller has ended the wait, and sends the others', async () => {
    const { api, producer } = started();
    const caller = new AbortController();
    const ended = errorOf(producer.post(event(), { idempotencyKey: 'a', signal: caller.signal }));
    const other = producer.post(event(), { idempotencyKey: 'b' });
    caller.abort('shutdown');
    expect(await ended).toMatchObject({ name: 'UnavailableError', idempotencyKey: 'a', cause: 'shutdown' });
    await other;
    expect(api.requests).toEqual([['b']]);
    expect(await errorOf(producer.post(event(), { signal: caller.signal }))).toMatchObject({
      cause: 'shutdown',
    });
    expect(api.requests).toHaveLength(1);
  });

  it('leaves an event out of further tries when its caller ends the wait after the first', async () => {
    const { api, producer } = started([{ kind: 'hang' }], { timeoutMs: 50 });
    const caller = new AbortController();
    const ended = errorOf(producer.post(event(), { idempotencyKey: 'a', signal: caller.signal }));
    const other = producer.post(event(), { idempotencyKey: 'b' });
    void producer.flush();
    caller.abort();
    await ended;
    await other;
    expect(api.requests).toEqual([['a', 'b'], ['b']]);
  });

  it('refuses events after close, which resolves when every event has its result', async () => {
    const { api, producer } = started([
      { kind: 'status', status: 503 },
      { kind: 'status', status: 404 },
    ]);
    const call = errorOf(producer.post(event()));
    await producer.close();
    expect(api.requests).toHaveLength(2);
    expect(await call).toMatchObject({ name: 'RefusedError' });
    await expect(producer.post(event())).rejects.toThrow('The producer is closed.');
  });

  it.each([
    {
      what: 'no address',
      options: { baseUrl: '', apiKey: 'key' },
      error: 'baseUrl must be an absolute URL.',
    },
    {
      what: 'a key with a line break',
      options: { baseUrl: 'http://api.test', apiKey: 'a\nb' },
      error: 'apiKey must be printable ASCII without spaces.',
    },
  ])('cannot be created with $what', ({ options, error }) => {
    expect(() => createProducer(options)).toThrow(error);
  });
});
