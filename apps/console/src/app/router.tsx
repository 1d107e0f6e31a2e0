import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Shell } from '../layout/shell';
import { OpenIdAnswerPage } from '../session/openid-answer-page';
import { RequireRole } from '../session/require-role';
import { SignInPage } from '../session/sign-in-page';
import type { Role } from '../session/use-me';
import { BrokenScreen } from './broken-screen';
import { NoSuchScreen } from './no-such-screen';

/** A screen that is loaded when it is first visited, for these roles. */
const screen = (path: string, roles: readonly Role[], load: () => Promise<ComponentType>): RouteObject => ({
  path,
  ErrorBoundary: BrokenScreen,
  lazy: async () => {
    const Screen = await load();
    return {
      Component: () => (
        <RequireRole roles={roles}>
          <Screen />
        </RequireRole>
      ),
    };
  },
});

/** Every screen. The first part of each path also stands in apps/api/src/console/console-paths.ts. */
export const ROUTES: RouteObject[] = [
  { path: '/sign-in', Component: SignInPage, ErrorBoundary: BrokenScreen },
  { path: '/sign-in/openid', Component: OpenIdAnswerPage, ErrorBoundary: BrokenScreen },
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: BrokenScreen,
    HydrateFallback: () => null,
    children: [
      screen(
        '',
        ['viewer', 'producer'],
        async () => (await import('../features/overview/overview-page')).OverviewPage,
      ),
      screen(
        'deliveries',
        ['viewer'],
        async () => (await import('../features/deliveries/deliveries-page')).DeliveriesPage,
      ),
      screen(
        'deliveries/:id',
        ['viewer'],
        async () => (await import('../features/deliveries/delivery-page')).DeliveryPage,
      ),
      screen(
        'payments',
        ['viewer', 'producer'],
        async () => (await import('../features/payments/payments-page')).PaymentsPage,
      ),
      screen(
        'payments/:kind/:paymentId',
        ['viewer', 'producer'],
        async () => (await import('../features/payments/payment-page')).PaymentPage,
      ),
      screen(
        'events/:notificationId',
        ['viewer', 'producer'],
        async () => (await import('../features/payments/event-page')).EventPage,
      ),
      screen(
        'consumers',
        ['viewer'],
        async () => (await import('../features/consumers/consumers-page')).ConsumersPage,
      ),
      screen(
        'consumers/new',
        ['operator'],
        async () => (await import('../features/consumers/onboarding/onboarding-page')).OnboardingPage,
      ),
      screen(
        'consumers/:id',
        ['viewer'],
        async () => (await import('../features/consumers/consumer-page')).ConsumerPage,
      ),
      screen(
        'bulk-actions',
        ['viewer'],
        async () => (await import('../features/bulk-actions/bulk-actions-page')).BulkActionsPage,
      ),
      screen(
        'bulk-actions/:id',
        ['viewer'],
        async () => (await import('../features/bulk-actions/bulk-action-page')).BulkActionPage,
      ),
      screen('reports', ['viewer'], async () => (await import('../features/reports/report-page')).ReportPage),
      screen('audit', ['admin'], async () => (await import('../features/audit/audit-page')).AuditPage),
      screen(
        'api-keys',
        ['admin'],
        async () => (await import('../features/api-keys/api-keys-page')).ApiKeysPage,
      ),
      { path: '*', Component: NoSuchScreen },
    ],
  },
];

export const createRouter = () => createBrowserRouter(ROUTES);
