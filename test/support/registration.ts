/** A registration of a consumer that no test calls. */
export const registration = (given: object = {}): object => ({
  name: 'Acme',
  url: 'https://consumer.example/hook',
  eventTypes: ['ach.status'],
  credentials: { username: 'bank', password: 'a-password-of-the-test' },
  ...given,
});
