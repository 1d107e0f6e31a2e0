import { createClient, type components } from '#libs/client'; // the path of the copied folder

type AchChange = components['schemas']['AchDataDto']; // the compiler checks every field

/** Announces a change of an ACH payment's status. Returns null when the same call must be repeated. */
export async function announce(change: AchChange, to: { baseUrl: string; apiKey: string }) {
  const dispatcher = createClient(to); // { baseUrl: 'https://dispatcher.bank.example', apiKey: 'pnd_…' }

  const { data, error, response } = await dispatcher.POST('/v1/events', {
    body: { eventType: 'ach.status', eventDateTime: '2025-11-20T09:30:00Z', data: change },
  });

  // 202: committed. `data.duplicate` is true when the same request was accepted before.
  if (data !== undefined) return data;

  // Not decided. Send the same request again after the time in Retry-After.
  if (response.status === 503) return null;

  // A problem (RFC 9457). For a 422, `errors` lists every invalid field and its rule.
  const faults = error.errors?.map(({ field, message }) => `${field} ${message}`) ?? [];
  throw new Error([error.detail, ...faults].join('\n'));
}
