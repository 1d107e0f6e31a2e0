import { useEffect, type ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Shell } from '../layout/shell';
import { RequireRole } from '../sign-in/require';
import { OpenIdAnswerPage, SignInPage } from '../sign-in/sign-in-page';
import { useMe, type Role } from '../signed-in/use-me';
import { BrokenScreen, NoSuchScreen } from './broken-screen';

/** A module; its export named `…Page` is the screen. */
type Load = () => Promise<Readonly<Record<string, ComponentType>>>;

/** Every screen: path, roles, module. The first part of each path is also listed in apps/api/src/console/console-paths.ts. */
const SCREENS: readonly (readonly [path: string, roles: readonly Role[], load: Load])[] = [
  ['', ['viewer', 'producer'], () => import('../features/overview/overview-page')],
  ['deliveries', ['viewer'], () => import('../features/deliveries/deliveries-page')],
  ['deliveries/:id', ['viewer'], () => import('../features/deliveries/delivery-page')],
  ['payments', ['viewer', 'producer'], () => import('../features/payments/payments-page')],
  ['payments/:kind/:paymentId', ['viewer', 'producer'], () => import('../features/payments/payment-page')],
  ['events/:notificationId', ['viewer', 'producer'], () => import('../features/payments/event-page')],
  ['consumers', ['viewer'], () => import('../features/consumers/consumers-page')],
  ['consumers/new', ['operator'], () => import('../features/consumers/onboarding/onboarding-page')],
  ['consumers/:id', ['viewer'], () => import('../features/consumers/consumer-page')],
  ['bulk-actions', ['viewer'], () => import('../features/bulk-actions/bulk-actions-page')],
  ['bulk-actions/:id', ['viewer'], () => import('../features/bulk-actions/bulk-action-page')],
  ['issues', ['viewer'], () => import('../features/issues/issues-page')],
  ['issues/:id', ['viewer'], () => import('../features/issues/issue-page')],
  ['channels', ['viewer'], () => import('../features/channels/channels-page')],
  ['reports', ['viewer'], () => import('../features/reports/report-page')],
  ['portal', ['consumer'], () => import('../features/portal/overview/overview-page')],
  ['portal/deliveries', ['consumer'], () => import('../features/portal/deliveries/deliveries-page')],
  ['portal/deliveries/:id', ['consumer'], () => import('../features/portal/deliveries/delivery-page')],
  ['portal/replays', ['consumer'], () => import('../features/portal/replays/replays-page')],
  ['portal/endpoint', ['consumer'], () => import('../features/portal/endpoint/endpoint-page')],
  ['portal/credentials', ['consumer'], () => import('../features/portal/credentials/credentials-page')],
  ['portal/notifications', ['consumer'], () => import('../features/portal/notifications/notifications-page')],
  ['portal/verification', ['consumer'], () => import('../features/portal/verification/verification-page')],
  ['portal/alerts', ['consumer'], () => import('../features/portal/alerts/alerts-page')],
  ['portal/keys', ['consumer'], () => import('../features/portal/keys/keys-page')],
  ['audit', ['admin'], () => import('../features/audit/audit-page')],
  ['api-keys', ['admin'], () => import('../features/api-keys/api-keys-page')],
];

const routeOf = ([path, roles, load]: (typeof SCREENS)[number]): RouteObject => ({
  path,
  ErrorBoundary: BrokenScreen,
  lazy: async () => {
    const Screen = Object.entries(await load()).find(([name]) => name.endsWith('Page'))?.[1] ?? NoSuchScreen;
    return {
      Component: () => (
        <RequireRole roles={roles}>
          <Screen />
        </RequireRole>
      ),
    };
  },
});

/** Leaves the network to the first screen. */
const PRELOAD_AFTER_MS = 1_000;

/** The shell; it loads every screen of the person's roles in advance, so that all open during an outage of the api. */
function PreloadingShell() {
  const may = useMe().data?.may;
  useEffect(() => {
    if (may === undefined) return undefined;
    const timer = setTimeout(() => {
      // A failed one is loaded again, and its error shown, when it is visited.
      for (const [, roles, load] of SCREENS)
        if (roles.some((role) => may.includes(role))) load().catch(() => undefined);
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [may]);
  return <Shell />;
}

export const createRouter = () =>
  createBrowserRouter([
    { path: '/sign-in', Component: SignInPage, ErrorBoundary: BrokenScreen },
    { path: '/sign-in/openid', Component: OpenIdAnswerPage, ErrorBoundary: BrokenScreen },
    {
      path: '/',
      Component: PreloadingShell,
      ErrorBoundary: BrokenScreen,
      HydrateFallback: () => null,
      children: [...SCREENS.map(routeOf), { path: '*', Component: NoSuchScreen }],
    },
  ]);
