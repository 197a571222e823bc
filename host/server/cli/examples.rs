//! The examples of the commands of the server. A test reads each of them as a command line.

pub const SERVER: &str = "\
Examples:
  host serve
  host submit --staged
  host fleet status --queue nats://queue.example.org:4222";
pub const SERVE: &str = "\
Examples:
  host serve
  host serve --listen 0.0.0.0:29030 --data /srv/observer --tls-cert server.pem --tls-key server.key
  host serve --queue nats://queue.example.org:4222 --fleet-keys workers.txt --webhook 0.0.0.0:9780 --allow-remote https://git.example.org/team
  host serve --add-token ci --token-repo 0123456789abcdef0123456789abcdef";
pub const SUBMIT: &str = "\
Examples:
  host submit --staged
  host submit --range origin/main..HEAD --queue nats://queue.example.org:4222 --fleet-keys workers.txt
  host submit --staged --queue postgresql://fleet@db.example.org/fleet --fleet-keys workers.txt --wait 0
  git rev-list origin/main..HEAD | host submit --stdin --queue nats://queue.example.org:4222 --fleet-keys workers.txt";
pub const WORKER: &str = "\
Examples:
  host worker --queue nats://queue.example.org:4222 --fleet-keys workers.txt --allow-remote https://git.example.org/team
  host worker --queue postgresql://fleet@db.example.org/fleet --jobs 8 --heavy-jobs 2";
pub const FLEET_STATUS: &str = "\
Examples:
  host fleet status --queue nats://queue.example.org:4222
  host fleet status --queue nats://queue.example.org:4222 --metrics";
pub const FLEET_RETRY: &str = "\
Examples:
  host fleet retry 8c2cd4b7cb5fa4cd3e3a2c6cf1b7a0a9f3a0e6b0f7f9d1f2c9b6e5d4c3b2a190 --queue nats://queue.example.org:4222
  host fleet retry --reason no-worker --queue nats://queue.example.org:4222
  host fleet retry --all --queue nats://queue.example.org:4222";
pub const FLEET_KEY: &str = "\
Examples:
  host fleet key --worker-name builder-1";
