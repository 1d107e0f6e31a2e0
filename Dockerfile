# syntax=docker/dockerfile:1

# The packages' own scripts are not run: they fetch what the image already has (Node) or does not use (the
# embedded PostgreSQL of the stand-alone mode).
FROM node:24-slim AS source
WORKDIR /app
COPY package.json package-lock.json ./

FROM source AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node_modules/.bin/nest build standalone && node_modules/.bin/vite build apps/console --logLevel warn

FROM source AS production-packages
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
# Names are resolved in libuv's threads: with the usual four, a silent name server would hold up other consumers.
ENV UV_THREADPOOL_SIZE=32
WORKDIR /app
COPY package.json LICENSE ./
COPY scripts/is-ready.mjs scripts/
COPY --from=production-packages /app/node_modules node_modules/
COPY --from=build /app/dist dist/
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=3 CMD ["node", "scripts/is-ready.mjs"]
# Left to itself V8 lets garbage lie as long as the machine has memory; bodies in flight need far less than this.
# The same image serves every process: docker-compose.yml starts the worker and the migrations with other commands.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "--max-old-space-size=512", "dist/apps/api/src/main.js"]
