# The image of `codescore cluster k8s`: the command, a Python to run programs with, and the Python package. Programs run in Landlock, which
# needs no privilege; docs/clusters.md says how.
FROM node:22-bookworm-slim AS build
WORKDIR /codescore
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev && npm install --no-save --ignore-scripts onnxruntime-node

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-pip && rm -rf /var/lib/apt/lists/*
COPY --from=build /codescore /codescore
RUN ln -s /codescore/dist/cli/main.js /usr/local/bin/codescore && chmod +x /codescore/dist/cli/main.js \
    && python3 -m pip install --no-cache-dir --target /opt/client /codescore/python pyarrow fsspec s3fs
# Programs do not see these packages: their Python gets no environment.
ENV PYTHONPATH=/opt/client CODESCORE_COMMAND=codescore
USER 1000
ENTRYPOINT []
CMD ["codescore", "--help"]
