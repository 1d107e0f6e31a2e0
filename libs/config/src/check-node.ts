/** The oldest Node that the product runs on, as in `engines` of package.json. */
const OLDEST_MAJOR = 24;

// Every process imports this package first, so this check runs before libraries fail with unclear messages.
if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_MAJOR) {
  process.stderr.write(
    `Node ${String(OLDEST_MAJOR)} or newer is required; this is ${process.versions.node}. The npm scripts use their own: npm start.\n`,
  );
  process.exit(1);
}
