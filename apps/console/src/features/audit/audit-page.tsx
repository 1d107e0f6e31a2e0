import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function AuditPage() {
  return (
    <Page title="Audit">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
