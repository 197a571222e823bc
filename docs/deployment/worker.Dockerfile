FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates openssh-client && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home guardhost
COPY guardhost-server /usr/local/bin/guardhost-server
USER guardhost
ENTRYPOINT ["guardhost-server", "worker"]
