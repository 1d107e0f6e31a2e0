import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function ApiKeysPage() {
  return (
    <Page title="API keys">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
