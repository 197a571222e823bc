//! The examples at the end of every help. A test reads each of them as a command line.

pub const HOST: &str = "\
Examples:
  host init
  host check --staged
  host run --provider claude --task \"Let x() accept None\"
  host accept";
pub const INIT: &str = "\
Examples:
  host init --dry-run
  host init
  host init --hooks git,claude --ci github --package ci/guardhost-0.1.0-py3-none-any.whl --commit";
pub const RUN: &str = "\
Examples:
  host run --provider claude --task \"Let x() accept None\" --file-hint src/x.py
  host run --plan plan.json --provider codex --max-cost 5
  host run --resume 01a2010e";
pub const CHECK: &str = "\
Examples:
  host check
  host check --staged
  host check --range origin/main..HEAD --format github
  host check --patch reply.txt --task \"Let x() accept None\"
  host check --staged --fix
  host check --watch";
pub const REVIEW: &str = "\
Examples:
  host review --staged --provider claude
  host review --range origin/main..HEAD --critic critic-devil --provider codex
  host review --range HEAD --voter claude --voter gemini --threshold 85
  host review --pr 12 --critic critic-self --provider claude --post
  host review --range HEAD --answers .git/guardhost/runs/01a2010e/answers.jsonl";
pub const FIX: &str = "\
Examples:
  host fix --sarif ruff.sarif --detector \"ruff check --output-format sarif .\" --provider claude --reviewer gemini
  host fix --issues issues.json --provider codex --reviewer claude --accept-touched
  host fix --from-audit audit.json --provider claude --reviewer codex
  host fix --issue 12 --provider claude --reviewer gemini
  host fix --resume 01a2010e --provider claude --reviewer gemini";
pub const APPLY: &str = "\
Examples:
  host apply --patch reply.txt
  host apply --patch - --dry-run";
pub const PATCH: &str = "\
Examples:
  host patch --source talk.md --target summary.md --instruction \"Count the votes\" --provider claude";
pub const AUDIT: &str = "\
Examples:
  host audit
  host audit --no-builds --metric readme
  host audit --ref HEAD~1 --format json";
pub const PLAN: &str = "\
Examples:
  host plan --task \"Let x() accept None\" --provider claude --format json --output plan.json
  host plan --from-audit audit.json --scope docs --provider codex
  host plan --to vitepress --format json --output plan.json";
pub const IMPROVE: &str = "\
Examples:
  host improve --provider claude --max-cost 5
  host improve --scope docs --provider codex
  host improve --provider claude --reviewer gemini --voter gemini,codex
  host improve --pr --draft --provider claude
  host improve --resume 01a2010e";
pub const LOG: &str = "\
Examples:
  host log
  host log 01a2010e --format json
  host log --rulings --guard docs-kept";
pub const STATS: &str = "\
Examples:
  host stats
  host stats --weeks 4 --format json
  host stats --badge guards.svg";
pub const SHOW: &str = "\
Examples:
  host show
  host show guardhost/let-x-accept-none-1f3a9c2e
  host show --diff
  host show --reply";
pub const REPLAY: &str = "\
Examples:
  host replay
  host replay 01a2010e
  host replay guardhost/let-x-accept-none-1f3a9c2e
  host replay 01a2010e --export run.json
  host replay --bundle run.json
  host replay HEAD --allowed-signers allowed_signers
  host replay HEAD --attest receipts.key --attestation head.json
  host replay HEAD --attestation head.json --allowed-signers allowed_signers";
pub const REPORT: &str = "\
Examples:
  host report --output report.html
  host report 01a2010e --redact --output report.html
  host report --format bundle --output mine.json
  host report --bundle mine.json --bundle theirs.json --output both.html";
pub const BACKTEST: &str = "\
Examples:
  host backtest
  host backtest --since 2026-01-31 --limit 2000 --max-time 900
  host backtest --pulls --fetch --page past.html
  host backtest --pulls --fetch --forge
  host backtest --repo mirror.git --pulls --limit 1500 --format json";
pub const ACCEPT: &str = "\
Examples:
  host accept
  host accept 01a2010e --keep-branch
  host accept 01a2010e --part";
pub const DISCARD: &str = "\
Examples:
  host discard
  host discard guardhost/let-x-accept-none-1f3a9c2e";
pub const PR_OPEN: &str = "\
Examples:
  host pr open
  host pr open 01a2010e --base main --draft --label docs
  host pr open --review --provider claude --voter codex --voter gemini
  host pr open --api https://git.example.org/api/v3 --token-env FORGE_TOKEN";
pub const PR_STATUS: &str = "\
Examples:
  host pr status
  host pr status 01a2010e --format json";
pub const PR_QUEUE: &str = "\
Examples:
  host pr queue
  host pr queue --base release --limit 20 --forge gitea";
pub const PR_WATCH: &str = "\
Examples:
  host pr watch --provider claude
  host pr watch 01a2010e --wait 3600 --ci-fixes 0
  host pr watch --listen 127.0.0.1:9780 --provider claude";
pub const DEMO: &str = "\
Examples:
  host demo
  host demo --dir /tmp/demo";
pub const INSTALL: &str = "\
Examples:
  host install git claude
  host install codex gemini --scope user
  host install github --package ci/guardhost-0.1.0-py3-none-any.whl
  host install plugin --dir guardhost-plugin
  host install --status
  host install git claude --remove";
pub const HOOK: &str = "\
Examples:
  host hook git pre-commit
  host hook claude PreToolUse";
pub const EXPLAIN: &str = "\
Examples:
  host explain
  host explain G13
  host explain docs-kept/code-loss";
pub const DOCTOR: &str = "\
Examples:
  host doctor
  host doctor --format json";
#[cfg(feature = "lsp")]
pub const LSP: &str = "\
Examples:
  host lsp
  host lsp --repo ../project";
pub const ACP: &str = "\
Examples:
  host acp -- gemini --acp
  host acp -- opencode acp";
pub const MCP: &str = "\
Examples:
  host mcp
  host mcp --repo ../project
  host mcp --pr";
pub const COMPLETIONS: &str = "\
Examples:
  host completions bash
  host completions zsh --output _host";
pub const MAN: &str = "\
Examples:
  host man
  host man guard add
  host man --dir man";
pub const PROVIDER_LIST: &str = "\
Examples:
  host provider list";
pub const PROVIDER_TEST: &str = "\
Examples:
  host provider test claude
  host provider test \"command:sh agent.sh\"";
pub const GUARD_LIST: &str = "\
Examples:
  host guard list";
pub const GUARD_INFO: &str = "\
Examples:
  host guard info docs-kept
  host guard info language-grammars
  host guard info path:tools/no-print.wasm";
pub const GUARD_ADD: &str = "\
Examples:
  host guard add docs-kept
  host guard add path:tools/no-print.wasm --grant facts --monitor
  host guard add oci://registry.example.org/guards/no-print";
pub const GUARD_REMOVE: &str = "\
Examples:
  host guard remove no-print";
pub const GUARD_LOCK: &str = "\
Examples:
  host guard lock";
pub const GUARD_UPDATE: &str = "\
Examples:
  host guard update --dry-run
  host guard update no-print --backtest 50";
pub const GUARD_SUGGEST: &str = "\
Examples:
  host guard suggest
  host guard suggest --pulls --limit 1500 --max-time 900";
pub const GUARD_VERIFY: &str = "\
Examples:
  host guard verify";
pub const GUARD_EXTEND: &str = "\
Examples:
  host guard extend https://example.org/team/guards.toml
  host guard extend oci://registry.example.org/team/rules:1 --without links-resolve
  host guard extend            # take the shared rules as they are now";
pub const GUARD_VENDOR: &str = "\
Examples:
  host guard vendor";
pub const GUARD_PUBLISH: &str = "\
Examples:
  host guard publish guard.wasm oci://registry.example.org/guards/no-print --sign minisign.key";
pub const GUARD_COMPONENTIZE: &str = "\
Examples:
  host guard componentize module.wasm --out guard.wasm";
pub const GUARD_NEW: &str = "\
Examples:
  host guard new no-print --lang python
  host guard new errors-help --lang js --critic
  host guard new toy --kind language";
pub const GUARD_BUILD: &str = "\
Examples:
  host guard build
  host guard build tools/no-print --install";
pub const GUARD_TEST: &str = "\
Examples:
  host guard test
  host guard test tools/no-print --watch";
pub const GUARD_RUN: &str = "\
Examples:
  host guard run --range HEAD~50..HEAD";
pub const GUARD_BENCH: &str = "\
Examples:
  host guard bench
  host guard bench guard.wasm --against old.wasm";
pub const GUARD_CERTIFY: &str = "\
Examples:
  host guard certify
  host guard certify guard.wasm --changes 200 --seed 7";
