import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function BulkActionsPage() {
  return (
    <Page title="Bulk actions">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
