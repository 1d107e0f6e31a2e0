import { EmptyState } from '../../feedback/empty-state';
import { Page } from '../../layout/page';

export function OverviewPage() {
  return (
    <Page title="Overview">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
