import type { Consumer } from './use-all-consumers';

/** What every tab of a consumer's page is given. */
export interface ConsumerTabProps {
  readonly consumer: Consumer;
}
