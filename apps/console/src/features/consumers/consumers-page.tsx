import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function ConsumersPage() {
  return (
    <Page title="Consumers">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
