/** The oldest Node that has everything the product uses; `engines` in package.json says the same. */
const OLDEST_MAJOR = 24;

// Evaluated before the libraries that fail without it in words of their own, since this package is the first that every process imports.
if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_MAJOR) {
  process.stderr.write(
    `This needs Node ${String(OLDEST_MAJOR)} or newer, and runs on ${process.versions.node}. The npm scripts bring theirs: npm start.\n`,
  );
  process.exit(1);
}
