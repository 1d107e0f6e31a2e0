// `npm run pictures` starts the demo and takes a picture of each main page, light, dark and on a phone, into docs/images,
// so that a review of a change shows its effect. The README has three of them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { chromiumPath } from '#test/support/chromium-path';

const FOLDER = join(import.meta.dirname, '../docs/images');
const LOOKS = [
  { name: 'light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'light', hasTouch: true },
];
/** The consumer in the pictures. It is down after a minute. */
const SHOWN = 'Falcon Air Cargo';
const DEMO_WITHIN_MS = 120_000;
const BROWSER = {
  executablePath: chromiumPath(),
  args: [
    '--disable-gpu',

    '--font-render-hinting=none',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
};

const demo = spawn(process.execPath, ['examples/demo/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const { url, adminKey } = await addressOf(demo);
  await takePictures(url, adminKey);
} finally {
  demo.kill();
}

/** The console's address and the admin key, as the demo prints them. */
async function addressOf({ stdout }) {
  let printed = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    printed += chunk;
    const adminKey = /admin key\s+(\S+)/.exec(printed)?.[1];
    const url = /up on (\S+),/.exec(printed)?.[1];
    if (adminKey !== undefined && url !== undefined) return { url, adminKey };
  }
  throw new Error(`The demo ended:\n${printed}`);
}

async function takePictures(url, adminKey) {
  const call = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const down = async () =>
    (await call('/v1/consumers?limit=100')).consumers.find(
      ({ name, health }) => name === SHOWN && health.state === 'down',
    );
  const deadline = Date.now() + DEMO_WITHIN_MS;
  while ((await down()) === undefined && Date.now() < deadline) await wait(1_000);
  const consumer = await down();
  if (consumer === undefined) throw new Error(`${SHOWN} of the demo is not down.`);
  const [dead] = (await call('/v1/deliveries?state=dead&limit=1')).deliveries;
  const [payment] = (await call('/v1/payments?limit=1')).payments;
  const bank = {
    overview: '/',
    issues: '/issues',
    deliveries: '/deliveries',
    delivery: `/deliveries/${dead.deliveryId ?? dead.id}`,
    payment: `/payments/${payment.kind}/${payment.paymentId}`,
    consumers: '/consumers',
    consumer: `/consumers/${consumer.id}`,
    report: `/reports?from=${new Date(Date.now() - 3_600_000).toISOString()}`,
  };
  const portal = { 'portal-overview': '/portal', 'portal-deliveries': '/portal/deliveries' };
  const browser = await chromium.launch(BROWSER);
  for (const { name, width, height, colorScheme, hasTouch = false } of LOOKS) {
    const link = await call(`/v1/consumers/${consumer.id}/sign-in-links`, { name: 'ann@customer.example' });
    const token = new URL(link.url, url).hash.replace('#link=', '');
    const sessions = [
      { pages: bank, path: '/v1/session', data: { apiKey: adminKey } },
      { pages: portal, path: '/v1/session/link', data: { token } },
    ];
    for (const { pages, path, data } of sessions) {
      const viewport = { width, height };
      const context = await browser.newContext({
        baseURL: url,
        viewport,
        colorScheme,
        hasTouch,
        isMobile: hasTouch,
        reducedMotion: 'reduce',
      });
      await context.request.post(path, { data });
      const page = await context.newPage();
      for (const [screen, at] of Object.entries(pages)) {
        await page.goto(at);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        // Rows of text make large files.
        const clip = { x: 0, y: 0, width, height: screen.endsWith('deliveries') ? 720 : height };
        await page.screenshot({ path: join(FOLDER, `${screen}-${name}.png`), clip });
      }
      await context.close();
    }
  }
  await browser.close();
}
