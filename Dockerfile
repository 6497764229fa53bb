# The service with Chromium and an init process, as a user without privileges. An edit of the source changes the last layer
# alone, which holds the bundled service (14 MB); packages, models and Chromium lie in layers of their own.
#   docker build -t verbatim .                               with Chromium
#   docker build -t verbatim --build-arg CHROMIUM=without .  without: static pages only, or a browser elsewhere (BROWSER)
# Models beyond those in the repository are fetched when MODELS names their tiers (--build-arg MODELS=multilingual).
ARG NODE=node:22.22.0-bookworm-slim
ARG CHROMIUM=with

FROM ${NODE} AS compiler
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 ca-certificates \
  && rm -rf /var/lib/apt/lists/*

FROM compiler AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs ./scripts/
COPY scripts/setup ./scripts/setup
COPY packages/no-canvas ./packages/no-canvas
RUN node scripts/setup.mjs --packages

# What the bundle holds, other systems' libraries, maps and what one only compiles with stay out.
FROM packages AS running-packages
RUN node scripts/setup.mjs --prune

FROM packages AS build
COPY tsconfig.json ./
COPY src ./src
RUN node scripts/setup.mjs --build && rm dist/*.map

# A download is kept from build to build, and copied with its time, so that an edit of the source leaves this layer as it is.
FROM build AS fetched-models
COPY models ./models
ARG MODELS=""
RUN --mount=type=cache,target=/var/cache/models \
  mkdir -p /app/model-store \
  && if [ -n "$MODELS" ]; then \
    MODEL_DIR=/var/cache/models node dist/main.js models prefetch $MODELS && cp -a /var/cache/models/. /app/model-store; fi

# Node without the names of its inner functions: 18 MB.
FROM compiler AS stripped-node
RUN strip -o /node /usr/local/bin/node

# tini reaps Chromium's orphaned processes.
FROM ${NODE} AS system
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini ca-certificates \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /usr/local/* /opt/yarn* \
  && useradd --system --create-home --uid 10001 verbatim \
  && install -d -o verbatim -g verbatim /data
COPY --from=stripped-node /node /usr/local/bin/node

# What Node and its machine code load, and no shell, as distroless images have it: 20 MB of Debian in place of 80. The list
# of packages is where those who look for holes look for it.
FROM system AS least
COPY deploy/least-root.sh /
RUN sh /least-root.sh /least

# From nothing, so that what a layer below holds and one above removed is not shipped: npm, headers, Node with its names.
FROM scratch AS without-chromium
COPY --from=least /least /

# Fonts, because without any a page has no text to read. Drivers for a graphics card and the compiler behind them (190 MB) go:
# Chromium draws with its own SwiftShader.
FROM scratch AS with-chromium
COPY --from=system / /
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation fonts-noto-cjk \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /usr/lib/*/libLLVM-*.so* /usr/lib/*/libz3.so* /usr/lib/*/dri \
    /usr/lib/chromium/libVkLayer_khronos_validation.so

FROM ${CHROMIUM}-chromium
WORKDIR /app
COPY --from=running-packages /app/package.json ./
COPY --from=running-packages /app/packages ./packages
COPY --from=running-packages /app/node_modules ./node_modules
COPY models ./models
COPY --from=fetched-models /app/model-store ./model-store
COPY public ./public
COPY docs ./docs
COPY CHANGELOG.md ./
COPY --from=build /app/dist ./dist
# Threads share two pools of memory in place of sixteen that each keep what they once took: 50 MB less.
ENV MALLOC_ARENA_MAX=2
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MODEL_DIR=/app/model-store
USER verbatim
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/ready').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Room for what is new and soon gone: 16 MB of it would become 50 of memory, for a twentieth less of processor time.
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=2", "dist/main.js"]
CMD ["serve"]
