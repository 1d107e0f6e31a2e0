import type { Health, Trouble } from './consumer-health';
import type { Consumer } from './use-all-consumers';

/** What every tab of a consumer's page is given. */
export interface ConsumerTabProps {
  readonly consumer: Consumer;
  readonly health: Health;
  readonly trouble?: Trouble;
}
