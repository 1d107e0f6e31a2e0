import { describe, expect, it } from '@jest/globals';
import { problem } from './problem.dto.js';

describe('problem', () => {
  it('a problem has the members of RFC 9457', () => {
    expect(problem({ status: 404, detail: 'No such event.', requestId: 'r' })).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No such event.',
      requestId: 'r',
    });
  });

  it('a problem lists the errors of a validation', () => {
    const errors = [{ field: 'data', message: 'is required' }];
    expect(problem({ status: 422, detail: 'd', requestId: 'r', errors })).toMatchObject({
      title: 'Unprocessable Content',
      errors,
    });
  });

  it('a problem has the number of matches, which may be unknown', () => {
    expect(problem({ status: 409, detail: 'd', requestId: 'r', matched: 71 })).toMatchObject({ matched: 71 });
    expect(problem({ status: 409, detail: 'd', requestId: 'r', matched: null })).toMatchObject({
      matched: null,
    });
  });

  it.each([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503])('problem %d has a title', (status) => {
    expect(problem({ status, detail: 'd', requestId: 'r' }).title).not.toBe('Error');
  });
});
