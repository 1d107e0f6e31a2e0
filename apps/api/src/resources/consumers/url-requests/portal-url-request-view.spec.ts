import { expect, it } from '@jest/globals';
import { URL_REQUEST_STATES } from '#libs/contracts';
import { portalUrlRequestView } from './portal-url-request-view.js';

it('a consumer’s people see the reason of a rejection only, and never who decided', () => {
  for (const state of URL_REQUEST_STATES) {
    const view = portalUrlRequestView({
      id: 'r',
      consumer_id: 'c',
      url: 'https://consumer.example/new',
      url_before: 'https://consumer.example/old',
      reason: null,
      state,
      made_by: 'ann',
      made_at: new Date(0),
      decided_by: 'olga',
      decided_at: new Date(1),
      decision_reason: 'the reason',
    });
    expect(view.rejectionReason).toBe(state === 'rejected' ? 'the reason' : null);
    expect(JSON.stringify(view)).not.toContain('olga');
  }
});
