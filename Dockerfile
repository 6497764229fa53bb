# The service with Chromium and an init process, as a user without privileges.
# Models are fetched while the image is built when MODELS names tiers (docker build --build-arg MODELS="precise balanced").
ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN ONNXRUNTIME_NODE_INSTALL=skip npm ci
COPY . .
# ONNX Runtime brings the libraries of every system; other systems' are 220 MB.
RUN npm run build \
  && npm prune --omit=dev \
  && rm -rf node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32
ARG MODELS=""
RUN mkdir -p /app/model-store \
  && if [ -n "$MODELS" ]; then MODEL_DIR=/app/model-store node dist/main.js models prefetch $MODELS; fi

FROM ${NODE}
# tini reaps Chromium's orphaned processes; fonts, because without any a page has no text to read.
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation fonts-noto-cjk tini ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --create-home --uid 10001 verbatim \
  && install -d -o verbatim -g verbatim /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/models ./models
COPY --from=build /app/public ./public
COPY --from=build /app/docs ./docs
COPY --from=build /app/model-store ./model-store
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MODEL_DIR=/app/model-store
USER verbatim
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/health').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "dist/main.js"]
CMD ["serve"]
