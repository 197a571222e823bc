#!/usr/bin/env python3
"""How a fleet grows beyond one machine: a simulation with measured figures.

Each worker judges JUDGE milliseconds on one core, with a pause of the queue around it. The queue is one server whose operations take its
time one after the other. Jobs come as fast as they are taken. The output names what is busy first.

    python3 tests/bench/fleet_model.py --judge-ms 24 --cached-ms 8 --hit 0.7 --server-us 250 --cores 8
"""

import argparse
import heapq
import random


def simulate(workers, cores, judge_ms, cached_ms, hit, server_us, wait_ms, seconds=20.0, seed=7):
    """Jobs a second, the share of time in which the server is busy, and the p99 of a job's way in milliseconds."""
    rng = random.Random(seed)
    slots = workers * cores
    server_free = server_busy = 0.0
    done, ways = 0, []
    # One event a slot: when it asks for its next job. Starts are spread.
    events = [(rng.random() * judge_ms / 1000, slot) for slot in range(slots)]
    heapq.heapify(events)
    while events:
        at, slot = heapq.heappop(events)
        if at >= seconds:
            break
        begin = max(at, server_free)
        busy = server_us / 1e6
        server_free = begin + busy
        server_busy += busy
        base = cached_ms if rng.random() < hit else judge_ms
        judged = base * rng.lognormvariate(0, 0.4) / 1000
        end = server_free + judged + wait_ms / 1000
        ways.append((end - at) * 1000)
        done += 1
        heapq.heappush(events, (end, slot))
    ways.sort()
    return done / seconds, min(server_busy / seconds, 1.0), ways[int(len(ways) * 0.99)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judge-ms", type=float, required=True, help="a judgement on one core, without kept verdicts")
    parser.add_argument("--cached-ms", type=float, required=True, help="the same with kept verdicts")
    parser.add_argument("--hit", type=float, default=0.0, help="share of changes whose verdicts are kept")
    parser.add_argument("--server-us", type=float, required=True, help="what the server computes for one job, of which it does one at a time")
    parser.add_argument("--wait-ms", type=float, default=1.0, help="what a slot waits for the network in a job")
    parser.add_argument("--cores", type=int, default=8, help="jobs at once, of one worker")
    options = parser.parse_args()
    print(f"{'workers':>8} {'jobs/s':>9} {'server busy':>12} {'p99 way ms':>11}  bottleneck")
    for workers in (1, 10, 100):
        rate, busy, p99 = simulate(
            workers, options.cores, options.judge_ms, options.cached_ms, options.hit,
            options.server_us, options.wait_ms,
        )
        bottleneck = "the server of the queue" if busy > 0.9 else "the workers' processors"
        print(f"{workers:>8} {rate:>9.0f} {busy:>11.0%} {p99:>11.1f}  {bottleneck}")


if __name__ == "__main__":
    main()
