# The image of `codescore cluster k8s`: the command, a Python to run programs with, and the Python package. Programs run in Landlock, which
# needs no privilege; docs/clusters.md says how.
FROM node:22-bookworm-slim AS build
WORKDIR /codescore
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# onnxruntime-node is a package of development: its version is the lock's. Installing it anew would bring the others back.
RUN npm run build && mv node_modules/onnxruntime-node /tmp && npm prune --omit=dev && mv /tmp/onnxruntime-node node_modules/ \
    && rm -r node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32

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
