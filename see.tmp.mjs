import { chromium } from 'playwright-core';
const [,, url, key, ...paths] = process.argv;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
for (const [w,h] of [[1440,900],[390,844]]) {
  const c = await b.newContext({ viewport: { width: w, height: h } });
  const p = await c.newPage();
  await p.goto(`${url}/sign-in#key=${key}`);
  await p.getByRole('button', { name: 'Sign in', exact: true }).click();
  await p.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await p.waitForTimeout(2500);
  for (const path of paths) {
    const t = Date.now();
    await p.goto(url + path);
    await p.getByRole('heading', { level: 1 }).waitFor();
    console.log(path, w, Date.now() - t, 'ms');
    await p.waitForTimeout(2000);
    await p.screenshot({ path: `/tmp/see/${w}-${path.replaceAll(/[^\w]+/g,'_') || 'root'}.png` });
  }
  await c.close();
}
await b.close();
