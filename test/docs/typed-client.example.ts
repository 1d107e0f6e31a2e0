import { createClient, type components } from '#libs/client'; // the folder, wherever it was put

type AchChange = components['schemas']['AchDataDto']; // the compiler knows every field of it

/** Announces a change of an ACH payment's status. Answers null when the very same call has to be made again. */
export async function announce(change: AchChange, to: { baseUrl: string; apiKey: string }) {
  const dispatcher = createClient(to); // { baseUrl: 'https://dispatcher.bank.example', apiKey: 'pnd_…' }

  const { data, error, response } = await dispatcher.POST('/v1/events', {
    body: { eventType: 'ach.status', eventDateTime: '2025-11-20T09:30:00Z', data: change },
  });

  // 202: committed. `data.duplicate` tells that the same request was accepted before.
  if (data !== undefined) return data;

  // Nothing was decided. Send the very same request again; Retry-After says when.
  if (response.status === 503) return null;

  // A problem (RFC 9457). Of a 422, `errors` names every field that breaks a rule, and its rule.
  const faults = error.errors?.map(({ field, message }) => `${field} ${message}`) ?? [];
  throw new Error([error.detail, ...faults].join('\n'));
}
