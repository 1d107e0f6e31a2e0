import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function PaymentsPage() {
  return (
    <Page title="Payments">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
