import { describe, expect, it } from '@jest/globals';
import { errors } from 'undici';
import { LocalFaultError } from './exchange.js';
import { connectError, exchangeFailure, FailureError, lookupError } from './failure.js';

const withCode = (code: string, over: object = {}) =>
  Object.assign(new Error('secret text'), { code, ...over });
const of = (code: string, address: string) => withCode(code, { syscall: 'connect', address });
const both = (first: Error, second: Error) => connectError(new AggregateError([first, second]), 'https:');
const outcomeOf = (error: Error) => (error instanceof FailureError ? error.failure.outcome : error.name);

describe('connectError', () => {
  it.each([
    ['ECONNREFUSED', 'connect', 'connection refused'],
    ['EHOSTUNREACH', 'connect', 'host unreachable'],
    ['ENETUNREACH', 'connect', 'network unreachable'],
    ['ESOMETHING', 'connect', 'connection failed (ESOMETHING)'],
    ['ETIMEDOUT', 'timeout', 'no connection in time'],
  ])('maps the connect error %s to %s, with and without TLS', (code, outcome, detail) => {
    for (const protocol of ['http:', 'https:']) {
      const error = connectError(withCode(code, { syscall: 'connect' }), protocol);
      expect(error).toMatchObject({ failure: { outcome, detail } });
    }
  });

  it('reports the last failure of several addresses, except one of an address family that the machine lacks', () => {
    const refused = of('ECONNREFUSED', '192.0.2.1');
    const noPort = of('EADDRNOTAVAIL', '192.0.2.1');
    expect(outcomeOf(both(of('EADDRNOTAVAIL', '2001:db8::1'), refused))).toBe('connect');
    expect(outcomeOf(both(refused, noPort))).toBe('connect');
    expect(outcomeOf(both(noPort, noPort))).toBe('LocalFaultError');
    const cutShort = new errors.ConnectTimeoutError('Connect Timeout Error');
    cutShort.cause = new AggregateError([of('ETIMEDOUT', '192.0.2.2'), refused]);
    expect(outcomeOf(connectError(cutShort, 'https:'))).toBe('connect');
    expect(outcomeOf(connectError(new errors.ConnectTimeoutError('x'), 'https:'))).toBe('timeout');
  });

  it('reports a machine without IPv6 as a failed connection, so that other addresses are tried', () => {
    const error = withCode('EADDRNOTAVAIL', { syscall: 'connect', address: '2001:db8::1' });
    expect(connectError(error, 'https:')).toMatchObject({
      failure: { outcome: 'connect', detail: 'this machine has no IPv6' },
    });
  });

  it.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'ECONNRESET', 'ERR_SSL_WHATEVER'])(
    'maps %s after the TCP connect to a TLS failure',
    (code) => {
      expect(outcomeOf(connectError(withCode(code), 'https:'))).toBe('tls');
    },
  );
});

describe('exchangeFailure', () => {
  it.each([
    [withCode('ECONNRESET'), 'reset'],
    [withCode('EPIPE'), 'reset'],
    [new errors.SocketError('other side closed'), 'reset'],
    [withCode(''), 'reset'],
    [withCode('ETIMEDOUT'), 'timeout'],
    [new errors.SocketError('bad response'), 'invalid_response'],
    [new errors.SocketError('bad upgrade'), 'invalid_response'],
    [new errors.HeadersOverflowError(), 'invalid_response'],
    [new errors.HTTPParserError('secret text'), 'invalid_response'],
    [withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'tls'],
  ])('maps the exchange error %s to the outcome %s', (error, outcome) => {
    const failure = exchangeFailure(error);
    expect(failure.outcome).toBe(outcome);
    expect(failure.detail).not.toContain('secret');
  });
});

describe('internal errors', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])(
    'throws an internal error for %s instead of returning an outcome',
    (code) => {
      const error = withCode(code, { syscall: 'connect' });
      expect(lookupError(error)).toBeInstanceOf(LocalFaultError);
      expect(connectError(error, 'https:')).toBeInstanceOf(LocalFaultError);
      expect(() => exchangeFailure(error)).toThrow(LocalFaultError);
    },
  );

  it('passes errors of the lookup unchanged through the socket', () => {
    const fault = lookupError(withCode('EMFILE'));
    expect(connectError(fault, 'http:')).toBe(fault);
    const failure = lookupError(withCode('ENOTFOUND'));
    expect(connectError(failure, 'https:')).toBe(failure);
    expect(exchangeFailure(failure)).toMatchObject({ outcome: 'dns' });
  });

  it('throws TypeError for a request that the HTTP client rejects', () => {
    expect(() => exchangeFailure(new errors.InvalidArgumentError('invalid path'))).toThrow(TypeError);
  });
});
