#!/usr/bin/env python3
"""A fleet under faults: what is lost, doubled, wrong or put aside, and how long it takes until jobs are judged again after each fault.

    cargo build && cargo build -p guardhost-server
    python3 tests/bench/fleet_faults.py --queue nats --nats nats-server --older OTHER-BUILD/guardhost-server [--jobs 600] [CLONE…]
    python3 tests/bench/fleet_faults.py --queue postgres --postgres FOLDER-WITH-initdb --older …

Jobs are the newest commits of the clones, and of small repositories made here where fewer than six are named; one made here has more than
100 MB. Every fifth commit made here breaks a file. Five workers share the queue: two that can do everything, one that may fetch from nowhere, one whose
mirrors are on a full disk, and one of another build, which judges by other guards. Workers reach the queue through a gateway.

Faults, until all is judged: `kill -9` of a worker, `kill -9` of the queue's server and connections that lose their other end without a word, in turn; beside
them stops of a worker (SIGSTOP) beyond its lease. Each job's result is compared byte for byte with `host check` of the same commit.

Nothing is skipped in silence: what cannot be set up (the full disk needs root, for a tmpfs) ends the benchmark with 2. A job that is lost, wrong or put
aside ends it with 1."""

import argparse, collections, json, os, pathlib, random, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOLATILE = ["schema_version", "notices"]
VOLATILE_OF_GUARDS = ["micros", "cached", "reused"]
STOPPED = 13  # seconds: the lease is 10
LARGE = 110 << 20
FULL = 2 << 20
KINDS = {
    "py": ("def f{n}(a):\n    return a + {n}\n", "def f{n}(a:\n    return a\n"),
    "json": ('{{\n  "a": {n}\n}}\n', '{{\n  "a": {n}"\n}}\n'),
    "toml": ("a = {n}\n", "a = = {n}\n"),
    "go": ("package a\n\nfunc F{n}() int {{\n\treturn {n}\n}}\n", "package a\n\nfunc F{n}( int {{\n"),
    "js": ("export const a{n} = {n};\n", "export const a{n} = ;\n"),
    "md": ("# Page {n}\n\nSee [the start](README.md).\n", "# Page {n}\n\nSee [it](gone{n}.md).\n"),
}


def run(args, cwd=None, env=None, stdin="", codes=None):
    ran = subprocess.run([str(word) for word in args], cwd=cwd, env=env, input=stdin, capture_output=True, text=True)
    if codes is not None and ran.returncode not in codes:
        sys.exit(f"{args}: {ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}")
    return ran


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Gateway:
    """Passes bytes on, until it forgets all connections that there are: nothing closes them, and nothing comes through."""

    def __init__(self, target):
        self.target, self.forgotten, self.listener = target, 0, socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self.target), 2)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            for a, b in [(near, far), (far, near)]:
                threading.Thread(target=self.pump, args=(a, b, self.forgotten), daemon=True).start()

    def pump(self, a, b, of):
        try:
            while data := a.recv(1 << 16):
                if self.forgotten == of:
                    b.sendall(data)
        except OSError:
            pass
        if self.forgotten == of:
            for end in (a, b):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class QueueServer:
    def __init__(self, args, folder):
        self.args, self.folder, self.port, self.process = args, folder, free_port(), None
        self.log = open(folder / "queue.log", "wb")
        self.prefix = []
        if args.queue == "postgres":
            os.chmod(folder, 0o755)
            (folder / "data").mkdir()
            if os.geteuid() == 0:
                self.prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
                os.chown(folder / "data", 65534, 65534)
            initdb = [pathlib.Path(args.postgres) / "initdb", "--no-sync", "-A", "trust", "-U", "test", "-E", "UTF8", "-D", folder / "data"]
            run(self.prefix + initdb, cwd="/", codes=[0])

    def start(self):
        if self.args.queue == "nats":
            command = [self.args.nats, "-a", "127.0.0.1", "-js", "-p", str(self.port), "-sd", str(self.folder / "data")]
        else:
            command = self.prefix + [str(pathlib.Path(self.args.postgres) / "postgres"), "-D", str(self.folder / "data"), "-c", f"port={self.port}"]
            command += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"]
        end = time.time() + 60
        while time.time() < end:
            self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd="/")
            while self.process.poll() is None and time.time() < end:
                try:
                    socket.create_connection(("127.0.0.1", self.port), 1).close()
                    return
                except OSError:
                    time.sleep(0.05)
            time.sleep(0.2)  # processes of one that was killed may still hold its memory
        sys.exit(f"the queue's server does not start: {self.folder}/queue.log")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def address(self, port):
        return f"nats://127.0.0.1:{port}" if self.args.queue == "nats" else f"postgresql://test@127.0.0.1:{port}/postgres"


class Fleet:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.home = folder / "home"
        self.home.mkdir()
        self.server = QueueServer(args, folder)
        self.server.start()
        self.gateway = Gateway(self.server.port)
        self.workers, self.keys = {}, folder / "workers.txt"
        lines = [self.command("fleet", "key", "--worker-key", folder / f"{name}.key", "--worker-name", name, codes=[0]).stdout for name in NAMES]
        self.keys.write_text("".join(lines))

    def env(self, port):
        kept = {name: os.environ[name] for name in ["PATH"]}
        return kept | {"HOME": str(self.home), "GUARDHOST_QUEUE": self.server.address(port), "GUARDHOST_FLEET_KEYS": str(self.keys)}

    def command(self, *words, cwd=None, stdin="", codes=None):
        return run([self.args.server, *words], cwd or self.folder, self.env(self.server.port), stdin, codes)

    def start(self, name):
        program = self.args.older if name == "older" else self.args.server
        remote = "https://example.org/another-team" if name == "misconfigured" else str(self.folder / "remotes")
        mirrors = self.folder / "full" if name == "full" else self.folder / f"mirrors-{name}"
        command = [program, "worker", "--worker-key", self.folder / f"{name}.key", "--worker-name", name, "--mirrors", mirrors]
        command += ["--allow-remote", remote, "--jobs", "1", "--fresh"]
        with open(self.folder / f"{name}.log", "ab") as log:
            self.workers[name] = subprocess.Popen([str(word) for word in command], cwd=self.folder, env=self.env(self.gateway.port), stdout=log, stderr=log)

    def kill(self, name):
        self.workers[name].kill()
        self.workers[name].wait()

    def status(self):
        ran = self.command("fleet", "status", "--format", "json")
        return json.loads(ran.stdout) if ran.returncode == 0 and ran.stdout else None


NAMES = ["one", "two", "misconfigured", "full", "older"]


def make_repository(folder, kind, commits, large):
    """A history by `git fast-import`: every fifth commit breaks the file that it adds."""
    right, wrong = KINDS[kind]
    stream = []
    if large:
        data = random.Random(1)
        for number in range(LARGE >> 20):
            block = data.randbytes(1 << 20)
            stream.append(b"blob\nmark :%d\ndata %d\n" % (number + 1, len(block)) + block + b"\n")
    for number in range(commits + 1):
        stream.append(b"commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata 6\nchange\n" % (1_750_000_000 + number))
        files = [(f"d{number // 20}/f{number}.{kind}", (wrong if number % 5 == 4 else right).format(n=number))] if number else [("README.md", "# It\n")]
        if kind == "md":
            files = [(path.replace(f"d{number // 20}/", ""), text) for path, text in files]
        for path, text in files:
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text.encode()))
        if large and number == 0:
            stream += [b"M 100644 :%d data/%d.bin\n" % (each + 1, each) for each in range(LARGE >> 20)]
    folder.mkdir()
    run(["git", "init", "-q", "-b", "main", folder], codes=[0])
    subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], input=b"".join(stream), check=True)


def prepare(args, folder):
    """Name, work repository and commits of each; workers fetch from bare clones below one folder."""
    (folder / "remotes").mkdir()
    named = [pathlib.Path(clone).resolve() for clone in args.clones]
    made = list(KINDS)[: max(6 - len(named), 1)]
    share = args.jobs // (len(named) + len(made))
    found = []
    for clone in named:
        remote = folder / "remotes" / f"{clone.name}.git"
        run(["git", "clone", "-q", "--bare", "--", f"file://{clone}", remote], codes=[0])
        found.append((clone.name, remote))
    for at, kind in enumerate(made):
        source = folder / f"made-{kind}"
        make_repository(source, kind, share + args.jobs % share + 1, large=at == 0)
        run(["git", "clone", "-q", "--bare", source, folder / "remotes" / f"{source.name}.git"], codes=[0])
        found.append((source.name, folder / "remotes" / f"{source.name}.git"))
    jobs = []
    for at, (name, remote) in enumerate(found):
        work = folder / f"work-{name}"
        run(["git", "clone", "-q", "--no-checkout", remote, work], codes=[0])
        wanted = share + (args.jobs - share * len(found) if at == len(found) - 1 else 0)
        commits = run(["git", "rev-list", "--no-merges", "--min-parents=1", f"-{wanted}", "HEAD"], work, codes=[0]).stdout.split()
        jobs.append((name, work, commits))
    return jobs


def comparable(report):
    report = {key: value for key, value in report.items() if key not in VOLATILE}
    for guard in report.get("guards", []):
        for key in VOLATILE_OF_GUARDS:
            guard.pop(key, None)
    return json.dumps(report, sort_keys=True)


class Faults(threading.Thread):
    """One fault after another, and after each the time until jobs are judged again."""

    def __init__(self, fleet, names, done):
        super().__init__(daemon=True)
        self.fleet, self.names, self.recovered, self.done = fleet, names, collections.defaultdict(list), done

    def open_jobs(self):
        status = self.fleet.status()
        return None if status is None else sum(lane["waiting"] + lane["leased"] for lane in status["lanes"] if lane["lane"] != "audit")

    def run(self):
        number = 0
        faults = [getattr(self, name) for name in self.names]
        while not self.done.wait(self.fleet.args.pause):
            fault = faults[number % len(faults)]
            before = self.open_jobs()
            if before == 0:
                continue
            good = NAMES[number // len(faults) % 2]
            begun = fault(good)
            while not self.done.is_set():
                now = self.open_jobs()
                if now is not None and before is not None and now < before:
                    self.recovered[fault.__name__].append(time.time() - begun)
                    break
                before = now if before is None or (now or 0) > before else before
                time.sleep(0.2)
            number += 1

    def worker(self, name):
        self.fleet.kill(name)
        self.fleet.start(name)
        return time.time()

    def server(self, _):
        self.fleet.server.kill()
        time.sleep(2)
        self.fleet.server.start()
        return time.time()

    def stop(self, name):
        self.fleet.workers[name].send_signal(signal.SIGSTOP)
        time.sleep(STOPPED)
        self.fleet.workers[name].send_signal(signal.SIGCONT)
        return time.time()

    def half_open(self, _):
        self.fleet.gateway.forgotten += 1
        return time.time()


def judge_here(args, fleet, work, commits, expected):
    for commit in commits:
        ran = run([args.host, "check", "--range", commit, "--fresh", "--format", "json"], work, fleet.env(fleet.server.port))
        expected[commit] = comparable(json.loads(ran.stdout)) if ran.stdout else None


def measure(args, folder):
    fleet = Fleet(args, folder)
    jobs = prepare(args, folder)
    total = sum(len(commits) for _, _, commits in jobs)
    sizes = [sum(file.stat().st_size for file in (folder / "remotes" / f"{name}.git").rglob("*") if file.is_file()) for name, _, _ in jobs]
    print(f"{total} jobs of {len(jobs)} repositories, the largest {max(sizes) / 1e6:.0f} MB, queue {args.queue}", flush=True)
    expected = {}
    for _, work, commits in jobs:
        judge_here(args, fleet, work, commits, expected)
    rejected = sum(json.loads(text)["verdict"] == "reject" for text in expected.values() if text)
    print(f"judged here: {rejected} rejected, {sum(text is None for text in expected.values())} not judged", flush=True)
    (folder / "full").mkdir()
    if run(["mount", "-t", "tmpfs", "-o", f"size={FULL}", "tmpfs", folder / "full"]).returncode:
        print("a full disk needs root, to mount a tmpfs", file=sys.stderr)
        return 2
    try:
        return under_faults(args, fleet, jobs, total, expected)
    finally:
        for worker in fleet.workers.values():
            worker.send_signal(signal.SIGCONT)
            worker.kill()
            worker.wait()
        fleet.server.kill()
        run(["umount", folder / "full"])


def under_faults(args, fleet, jobs, total, expected):
    for name in ["misconfigured", "full", "older", "one", "two"]:
        fleet.start(name)
    begun = time.time()
    for _, work, commits in jobs:
        fleet.command("submit", "--stdin", "--wait", "0", cwd=work, stdin="\n".join(commits), codes=[0])
    print(f"submitted in {time.time() - begun:.1f} s", flush=True)
    done = threading.Event()
    faults = Faults(fleet, ["worker", "server", "worker", "half_open"], done)
    # At the same time: a stop takes longer than all others together.
    stops = Faults(fleet, ["stop"], done)
    faults.start()
    stops.start()
    end, left = begun + args.limit, total
    while time.time() < end and left != 0:
        time.sleep(1)
        left = faults.open_jobs()
    took = time.time() - begun
    done.set()
    faults.join()
    stops.join()
    recovered = {**faults.recovered, **stops.recovered}
    found = collections.Counter()
    ids = collections.Counter()
    for _, work, commits in jobs:
        answers = fleet.command("submit", "--stdin", "--wait", "30", cwd=work, stdin="\n".join(commits)).stdout
        for line in answers.splitlines():
            answer = json.loads(line)
            commit = answer["range"]
            ids[answer.get("job")] += 1
            if answer.get("error") or answer["outcome"] == "waiting":
                found["lost"] += 1
            elif answer["outcome"] == "dead":
                found["put aside"] += 1
                print(f"put aside: {commit}: {answer['reason']}")
            elif comparable(answer["check"]) != expected[commit]:
                found["wrong"] += 1
                print(f"wrong: {commit} by {answer['worker']}")
            else:
                found["right"] += 1
    status = fleet.status()
    found["lost"] += total - sum(found.values())
    found["doubled"] = sum(count - 1 for count in ids.values()) + len(status["alarms"])
    print(f"{total} jobs in {took:.0f} s under {sum(map(len, recovered.values()))} faults: " + ", ".join(f"{found[key]} {key}" for key in ["right", "lost", "doubled", "wrong", "put aside"]))
    for name, seconds in recovered.items():
        print(f"  {name}: {len(seconds)} times, judged again after {statistics.median(seconds):.1f} s (median), {max(seconds):.1f} s at most")
    for worker in status["workers"]:
        print("  " + ", ".join(f"{key} {worker[key]}" for key in ["name", "judged", "own_failures", "left_to_others", "stopped"] if key in worker))
    for alarm in status["alarms"]:
        print(f"  alarm: {alarm}")
    bad = [worker for worker in status["workers"] if worker["name"] in NAMES[2:] and worker.get("judged")]
    return 1 if bad or any(found[key] for key in ["lost", "doubled", "wrong", "put aside"]) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="*")
    parser.add_argument("--queue", choices=["nats", "postgres"], required=True)
    parser.add_argument("--host", default=str(ROOT / "target/debug/host"))
    parser.add_argument("--server", default=str(ROOT / "target/debug/guardhost-server"))
    parser.add_argument("--older", required=True, help="guardhost-server of another build, which judges by other guards")
    parser.add_argument("--nats", default="nats-server")
    parser.add_argument("--postgres", help="the folder of initdb and postgres")
    parser.add_argument("--jobs", type=int, default=600)
    parser.add_argument("--pause", type=float, default=1, help="seconds between two faults")
    parser.add_argument("--limit", type=float, default=1800, help="seconds after which what has no result counts as lost")
    args = parser.parse_args()
    for program in ["host", "server", "older"]:
        setattr(args, program, str(pathlib.Path(getattr(args, program)).resolve()))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-"))
    # A server of another user reads its folder.
    folder.chmod(0o755)
    code = measure(args, folder)
    if code == 0:
        shutil.rmtree(folder)
    else:
        print(f"logs stay in {folder}")
    sys.exit(code)


main()
